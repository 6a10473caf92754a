import { refuse } from '@svc/contract'
import { JsonText } from '../../kernel/json.ts'

/**
 * Checks the `if_match` of a write: absent is unconditional, `*` wants the key to exist, any other text is compared
 * with the stored etag as it is. Errors: `precondition_failed` with the stored etag under `details.etag`.
 */
export function checkIfMatch(ifMatch: string | undefined, etag: string | null): void {
  if (ifMatch === undefined || (ifMatch === '*' ? etag !== null : etag === ifMatch)) return
  throw refuse(
    'precondition_failed',
    etag === null
      ? 'if_match names a value, but the key does not exist'
      : `if_match is ${JSON.stringify(ifMatch)}, the stored etag differs`,
    { etag, hint: 'Read the value again and decide what to keep.' },
  )
}

/** The refusal for a key that is not there. */
export const noSuchKey = (key: string) =>
  refuse('not_found', `there is no value under the key ${JSON.stringify(key)}`)

/** The result of `get`, around the text of the value as it was written down. */
export const foundText = (
  value: string,
  { etag, generation }: { readonly etag: string; readonly generation: number },
): JsonText =>
  new JsonText(`{"value":${value},"etag":${JSON.stringify(etag)},"generation":${generation},"exists":true}`)
