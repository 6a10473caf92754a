import { JsonText } from '../../kernel/json/json-text.ts'

/** The result of `get`, around the text of the value as it was written down. */
export const foundText = (
  value: string,
  { etag, generation }: { readonly etag: string; readonly generation: number },
): JsonText =>
  new JsonText(`{"value":${value},"etag":${JSON.stringify(etag)},"generation":${generation},"exists":true}`)
