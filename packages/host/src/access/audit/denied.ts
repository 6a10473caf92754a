import { Refusal } from '@svc/contract'
import type { Head } from '../../kernel/request/head.ts'
import { BlockedRefusal } from '../users/admitted.ts'
import type { Audit } from './audit.ts'

/** The codes that deny: what a caller may not do, and who shows no sign-in or token. */
const denials: ReadonlySet<string> = new Set(['permission_denied', 'invalid_token'])

/** Whether a code of an answer denies. */
export const isDenial = (code: string): boolean => denials.has(code)

/** Where a request came from, where its front knows. */
export const addressOf = ({ peer }: Pick<Head, 'peer'>) => (peer === undefined ? {} : { address: peer })

/** Notes a request that was denied; what else it was answered is no matter. */
export function noteDenied(
  audit: Audit,
  answer: unknown,
  { head, method, userId }: { head: Pick<Head, 'peer'>; method: string; userId?: string | undefined },
): void {
  if (!(answer instanceof Refusal && isDenial(answer.code))) return
  const about = answer instanceof BlockedRefusal ? answer.userId : undefined
  audit.note('denied', userId ?? about ?? null, answer.code, { method, ...addressOf(head) })
}
