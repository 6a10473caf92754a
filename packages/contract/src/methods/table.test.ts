import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { limits } from '../limits/index.ts'
import type { MethodRow } from './define.ts'
import { methodRow, methodRows, methods } from './index.ts'

/** What an app is offered: method, access, and whether it is a stub. */
const offered = [
  ['window.hello', 'always', false],
  ['window.ready', 'always', false],
  ['window.heartbeat', 'always', false],
  ['window.set_title', 'always', false],
  ['window.resize', 'always', false],
  ['window.focus', 'always', false],
  ['window.close', 'always', false],
  ['window.open_view', 'always', false],
  ['window.report_error', 'always', false],
  ['tools.list', 'plugs', false],
  ['tools.invoke', 'plugs', false],
  ['tools.invokeAsync', 'plugs', false],
  ['tools.getJob', 'plugs', false],
  ['tools.cancelJob', 'plugs', false],
  ['tools.listJobs', 'plugs', false],
  ['storage.get', 'declared', false],
  ['storage.set', 'declared', false],
  ['storage.delete', 'declared', false],
  ['storage.list', 'declared', false],
  ['chat.append_artifact', 'declared', false],
  ['chat.read_history', 'declared', true],
  ['chat.write_message', 'declared', true],
  ['image.generate', 'image_grant', false],
  ['image.edit', 'image_grant', false],
  ['upload.inline', 'upload_grant', false],
  ['upload.negotiate', 'upload_grant', false],
  ['upload.confirm', 'upload_grant', false],
  ['agent.session.create', 'submode', false],
  ['agent.session.catalog', 'submode', false],
  ['agent.session.run', 'submode', false],
  ['agent.session.cancel', 'submode', false],
  ['agent.session.history', 'submode', false],
  ['agent.session.list', 'submode', false],
  ['agent.session.delete', 'submode', false],
  ['agent.session.refresh', 'submode', false],
  ['llm.complete', 'declared', false],
  ['llm.stream', 'declared', false],
  ['llm.embed', 'declared', false],
  ['files.list', 'declared', false],
  ['files.read', 'declared', false],
  ['files.write', 'declared', false],
  ['files.delete', 'declared', false],
  ['files.stat', 'declared', false],
  ['web.fetch', 'web_grant', false],
  ['web.search', 'web_grant', false],
  ['apps.list', 'declared', false],
  ['apps.get', 'declared', false],
  ['apps.open', 'declared', false],
  ['credentials.list', 'credentials_grant', false],
  ['credentials.status', 'credentials_grant', false],
  ['credentials.request', 'credentials_grant', false],
  ['mobile.share', 'declared', true],
  ['mobile.vibrate', 'declared', true],
  ['mobile.scan_code', 'declared', true],
  ['artifact.create', 'declared', true],
  ['artifact.update', 'declared', true],
  ['artifact.delete', 'declared', true],
  ['fs.read', 'declared', true],
  ['fs.write', 'declared', true],
  ['prefs.get', 'declared', true],
] as const

verifies.each('design.method_table')(offered)('%s is a row', (name, access, stub) => {
  const [ns = '', ...rest] = name.split('.')
  const method = rest.join('.')
  const row = methodRow(ns, method)
  expect(row?.access).toBe(access)
  expect(row?.stub ?? false).toBe(stub)
})

verifies('call.namespaces', 'has the namespaces that apps are offered', () => {
  const named = offered.map(([name]) => name.split('.')[0])
  expect(Object.keys(methods).sort()).toEqual([...new Set(named)].sort())
})

verifies('design.method_table', 'has each row once, and only names that the dispatch looks up', () => {
  const names = methodRows().map(([ns, name]) => `${ns}.${name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const [ns, name] of methodRows()) {
    expect(Math.max(ns.length, name.length)).toBeLessThanOrEqual(limits.NAME_MAX_CHARS)
  }
})

verifies('call.stub.namespaces', 'artifact, fs and prefs hold stubs only', () => {
  for (const ns of ['artifact', 'fs', 'prefs'] as const) {
    expect(Object.keys(methods[ns])).not.toEqual([])
    for (const row of Object.values(methods[ns])) expect(row.stub).toBe(true)
  }
})

verifies.each('design.inherited_names')([
  ['__proto__', 'toString'],
  ['constructor', 'constructor'],
  ['window', 'hasOwnProperty'],
  ['window', '__proto__'],
  ['window', ''],
  ['', 'hello'],
  ['window ', 'hello'],
  ['Window', 'hello'],
  ['*', '*'],
])('%j %j has no row', (ns, name) => {
  expect(methodRow(ns, name)).toBeUndefined()
})

it.each(methodRows())('%s.%s is written as a sentence', (_ns, _name, row) => {
  expect(row.doc).toMatch(/^[A-Z].*\.$/s)
})

it.each(methodRows().filter(([, , row]) => row.stub))('%s.%s takes any arguments', (_ns, _name, row) => {
  expect(row.args.safeParse({}).success).toBe(true)
  expect(row.args.safeParse({ limit: 'x', role: 7, anything: null }).success).toBe(true)
})

/** The fields of a schema without a sentence, by their paths, as far as objects, lists and choices lead. */
function silent(schema: JsonSchema, at: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(hasSentence(field) ? [] : [`${at}.${name}`]),
      ...silent(field, `${at}.${name}`),
    ]),
    ...(items ? silent(items, `${at}[]`) : []),
    ...anyOf.flatMap((form) => silent(form, at)),
  ]
}

interface JsonSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

const hasSentence = ({ description, anyOf = [] }: JsonSchema): boolean =>
  /\.$/.test(description ?? '') || anyOf.some(hasSentence)

const toJson = (type: MethodRow['result'], io: 'input' | 'output') =>
  type.toJSONSchema({ io, unrepresentable: 'any' }) as JsonSchema

verifies.each('docs.rows')(methodRows().filter(([, , row]) => !row.stub))(
  '%s.%s has an example, and a sentence for each argument and result',
  (ns, name, row) => {
    expect(row.example).toMatch(new RegExp(`svc\\.${ns}\\.|svc\\.ready`))
    expect([
      name,
      ...silent(toJson(row.args, 'input'), 'args'),
      ...silent(toJson(row.result, 'output'), 'result'),
    ]).toEqual([name])
  },
)
