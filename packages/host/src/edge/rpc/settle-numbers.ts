import type { MethodRow } from '@svc/contract'
import { asNumbers, holdRange } from '@svc/contract/exact-json'

/**
 * Arguments that have raw numbers as their handler takes them: what goes on as text keeps its numbers as they came; in
 * all others they become numbers of JavaScript. Errors: `invalid_arg` where a number cannot be kept.
 */
export function settleNumbers(
  args: Readonly<Record<string, unknown>>,
  row: Pick<MethodRow, 'args' | 'verbatim'>,
): Readonly<Record<string, unknown>> {
  const settled: Record<string, unknown> = { ...args }
  for (const name of Object.keys(row.args.shape)) {
    if (!Object.hasOwn(args, name)) continue
    if (row.verbatim?.includes(name)) holdRange(args[name], name)
    else settled[name] = asNumbers(args[name], name)
  }
  return settled
}
