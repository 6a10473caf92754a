import { type ArgsOut, canonicalArgs, type MethodRow, wrongArgs } from '@svc/contract'

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
