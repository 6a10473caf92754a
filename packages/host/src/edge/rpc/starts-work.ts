import { methodRow } from '@svc/contract'
import type { Body } from '../../kernel/body.ts'

/** The methods that start what goes on after their answer, besides those that may take seconds themselves. */
const starters: ReadonlySet<string> = new Set(['agent.session.run', 'llm.stream', 'tools.invokeAsync'])

/** Whether a call of a body begins what may last: a host that closes takes no part of such a body. */
export function startsWork(body: Body): boolean {
  const parts = 'one' in body ? [body.one] : body.many
  return parts.some((part) => {
    if ('problem' in part) return false
    const { ns, method } = (part.call ?? {}) as { readonly ns?: unknown; readonly method?: unknown }
    return methodRow(String(ns), String(method))?.slow === true || starters.has(`${ns}.${method}`)
  })
}
