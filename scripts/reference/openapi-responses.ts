import { type ErrorCode, errorRow } from '../../packages/contract/src/index.ts'
import { errorsOf, type RouteRow } from '../../packages/contract/src/routes/index.ts'
import { jsonSchema } from './json-schema.ts'
import { failureNames } from './openapi-shared.ts'

const OK = 200
const TOO_LARGE = 413
const WRONG_TYPE = 415

/** Every answer of a route by its status. A status that several codes have tells each. */
export function responsesOf(row: RouteRow) {
  const statuses = new Map([[row.status ?? OK, { description: 'It was done.', ...contentOf(row) }]])
  for (const [status, description] of Object.entries(row.also ?? {}))
    statuses.set(Number(status), { description, ...contentOf(row) })
  for (const [status, codes] of failuresOf(row))
    if (!statuses.has(status)) statuses.set(status, failure(row, codes))
  return Object.fromEntries([...statuses].sort(([a], [b]) => a - b))
}

/** An example as a media type has it, where there is one. */
export const exampleOf = (example: unknown) => (example === undefined ? {} : { example })

function contentOf({ answer, example }: RouteRow) {
  if (answer === null) return {}
  const content =
    typeof answer === 'string'
      ? { [answer]: {} }
      : { 'application/json': { schema: jsonSchema(answer, 'output'), ...exampleOf(example?.answer) } }
  return { content }
}

/** The codes that come with each status. A body that is too large or of another type is `invalid_arg`, too. */
function failuresOf(row: RouteRow): Map<number, Set<ErrorCode>> {
  const byStatus = new Map<number, Set<ErrorCode>>()
  const add = (status: number, code: ErrorCode) =>
    byStatus.set(status, (byStatus.get(status) ?? new Set<ErrorCode>()).add(code))
  for (const code of errorsOf(row)) add(errorRow(code).status, code)
  if (row.body || row.bodyTypes) for (const status of [TOO_LARGE, WRONG_TYPE]) add(status, 'invalid_arg')
  return byStatus
}

function failure({ failure: form = 'route' }: RouteRow, codes: ReadonlySet<ErrorCode>) {
  const schema = { $ref: `#/components/schemas/${failureNames[form]}` }
  return {
    description: [...codes].map((code) => `\`${code}\`: ${errorRow(code).sentence}`).join(' '),
    content: { 'application/json': { schema } },
  }
}
