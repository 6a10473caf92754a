import { canonicalArgs, type MethodRow } from '@svc/contract'
import { asNumbers, checkRange } from '@svc/contract/exact-json'
import type { ExtractedArgs } from '../../kernel/body.ts'
import { JsonText } from '../../kernel/json.ts'
import { refusalOf } from '../../kernel/threads/read-in-thread.ts'

/**
 * Arguments that have raw numbers as their handler takes them: what is passed on as text keeps its numbers as they
 * came; in all others they become numbers of JavaScript. Errors: `invalid_arg` where a number cannot be kept.
 */
export function settleNumbers(
  args: Readonly<Record<string, unknown>>,
  row: Pick<MethodRow, 'args' | 'verbatim'>,
): Readonly<Record<string, unknown>> {
  const settled: Record<string, unknown> = { ...args }
  for (const name of Object.keys(row.args.shape)) {
    if (!Object.hasOwn(args, name)) continue
    if (row.verbatim?.includes(name)) checkRange(args[name], name)
    else settled[name] = asNumbers(args[name], name)
  }
  return settled
}

type Args = Readonly<Record<string, unknown>>

/**
 * Arguments of a call that another thread read, as its row judges them: an empty value of its type in the place of each
 * that is passed on as text. Errors: `invalid_arg` where a number of one cannot be kept.
 */
export function bareArgs(
  args: Args,
  row: Pick<MethodRow, 'args' | 'aliases'>,
  { texts, faults }: ExtractedArgs,
): Args {
  const named = canonicalArgs(faults, row) as ExtractedArgs['faults']
  for (const name of Object.keys(row.args.shape)) {
    const fault = Object.hasOwn(named, name) ? named[name] : undefined
    if (fault) throw refusalOf(fault)
  }
  return { ...args, ...mapped(texts, ({ bare }) => bare) }
}

/** Judged arguments with the texts in their places. */
export const withTexts = (args: object, { texts }: ExtractedArgs): object => ({
  ...args,
  ...mapped(texts, ({ json }) => new JsonText(json)),
})

const mapped = <One>(texts: ExtractedArgs['texts'], of: (text: ExtractedArgs['texts'][string]) => One) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, of(text)]))
