import {
  errorsOf,
  type RouteAuth,
  type RouteRow,
  rateOf,
  routeRows,
} from '../../packages/contract/src/routes/index.ts'
import { jsonSchema } from './json-schema.ts'
import { type Schema, typeText } from './schema.ts'
import { code, table } from './table.ts'

const authWords: Readonly<Record<RouteAuth, string>> = {
  cookie: 'the sign-in',
  'window+cookie': 'the token of a window, and the sign-in',
  bearer: 'an `app_session_token` as Bearer',
  runner: 'the token of an enrolled machine as Bearer',
  signature: 'the signature in the URL',
  sampling: 'the `sampling_token` in the body',
  operator: 'loopback, or the `metricsToken` as Bearer',
  admin: 'the `operatorToken` as Bearer',
  none: 'nothing',
}

/** Every route with what it takes and answers. */
export function routesPage(): string {
  const sections = [...Map.groupBy(routeRows(), ([, { tag }]) => tag)].map(
    ([tag, rows]) => `## ${tag}\n\n${rows.map(([name, row]) => routePart(name, row)).join('\n\n')}`,
  )
  return `# Routes

What the host answers over HTTP; [openapi.json](openapi.json) says the same to machines. Every request's \`Host\` must
be one that the host serves. A route that takes the sign-in and is no GET needs a listed \`Origin\` as well, and so does
the call socket. JSON bodies come as \`application/json\`; a body of another type is 415, one that is too large 413, both
\`invalid_arg\`. What a route is *counted as* bounds how many requests there may be in a time ([rates](limits.md#rates)).

A failure is \`{error: {code, message, details?}}\`, on the session routes \`{error: {name, code, message, details?}}\`, and
on the route of calls \`{id, ok: false, error}\`. The codes with their statuses are in [errors](errors.md). A method
that a path does not have is 405 with the code \`not_found\`, and the header \`Allow\` has those that it has.

${sections.join('\n\n')}`
}

function routePart(name: string, row: RouteRow): string {
  const methods = row.head ? `${row.method}, HEAD` : row.method
  const parts = [
    `### ${name}`,
    `${code(`${methods} ${row.path}`)}`,
    `${row.summary} Needs: ${authWords[row.auth]}. Counted as ${code(rateOf(row))}.`,
    takes(row),
    answerText(row),
    `Errors: ${errorsOf(row).map(code).join(', ')}.`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

function takes({ params = {}, query, headers = {}, body, bodyTypes = [] }: RouteRow): string {
  const rows = [
    ...Object.entries(params).map(([name, doc]) => [code(name), 'path', 'string', doc]),
    ...(query ? fields(query, 'query') : []),
    ...Object.entries(headers).map(([name, doc]) => [code(name), 'header', 'string', doc]),
    ...(body ? fields(body, 'body') : []),
    ...bodyTypes.map((type) => ['', 'body', code(type), 'As raw bytes.']),
  ]
  return rows.length === 0 ? '' : table(['Name', 'In', 'Type', 'What'], rows)
}

function fields(type: NonNullable<RouteRow['body']>, place: 'query' | 'body'): string[][] {
  const schema = jsonSchema(type, 'input') as Schema & { description?: string }
  if (!schema.properties) return [['', place, code(typeText(schema)), '']]
  const { required = [] } = schema
  return Object.entries<Schema & { description?: string }>(schema.properties).map(([name, one]) => [
    code(required.includes(name) ? name : `${name}?`),
    place,
    code(typeText(one)),
    one.description ?? '',
  ])
}

function answerText({ answer, status }: RouteRow): string {
  if (answer === null) return `Answers ${status ?? 200} without a body.`
  return `Answers ${code(typeof answer === 'string' ? answer : typeText(jsonSchema(answer, 'output') as Schema))}`
}
