import { type ArgsOut, canonicalArgs, explain, type MethodRow, refuse } from '@svc/contract'

/** Arguments as the row of their method takes them, under any of their names. Errors: `invalid_arg`. */
export function readArgs<Row extends MethodRow>(
  row: Row,
  given: Readonly<Record<string, unknown>>,
): ArgsOut<Row> {
  const named = canonicalArgs(given, row)
  const args = row.args.safeParse(named)
  if (!args.success) throw refuse('invalid_arg', explain(args.error, named))
  return args.data as ArgsOut<Row>
}
