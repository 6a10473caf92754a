import { type ArgsOut, canonicalArgs, type MethodRow, wrongArgs } from '@svc/contract'
import type { z } from 'zod'
import { inShape } from '../../../kernel/in-shape.ts'

const switches: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

const argOf = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : (switches.get(text) ?? text))

/** A query as arguments of a method: `?limit=50&include_expired=true` is a number and a switch. */
export const queryArgs = (query: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, argOf(text)]))

/** A query in a shape; a parameter is a number or a switch where its field takes no text. Errors: `invalid_arg`. */
export function readQuery(shape: z.ZodObject, query: Readonly<Record<string, string>>): unknown {
  const takesText = (name: string, text: string) =>
    Object.hasOwn(shape.shape, name) && shape.shape[name]?.safeParse(text).success
  const args = Object.fromEntries(
    Object.entries(query).map(([name, text]) => [name, takesText(name, text) ? text : argOf(text)]),
  )
  return inShape(shape, args)
}

/** Arguments as the row of their method takes them, under any of their names. Errors: `invalid_arg`. */
export function readArgs<Row extends MethodRow>(
  row: Row,
  given: Readonly<Record<string, unknown>>,
): ArgsOut<Row> {
  const named = canonicalArgs(given, row)
  const args = row.args.safeParse(named)
  if (!args.success) throw wrongArgs(args.error, named)
  return args.data as ArgsOut<Row>
}
