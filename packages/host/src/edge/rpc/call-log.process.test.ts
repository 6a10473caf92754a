import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import type { AuditEntry } from '@svc/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

const SECRET = 'hush-hush'
const logged: string[] = []
const noted: AuditEntry[] = []
let services: ToolHost

beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  const audit = (entry: AuditEntry) => void noted.push(entry)
  services = await openToolHost({
    logger,
    audit,
    manifest: { required_plugs: ['odd'], host_api: { storage: ['*'] } },
  })
})
afterAll(() => services.close())

/** A call with the secret in its arguments, and the code that its log line has; `null`: it is logged as no call. */
const calls: [name: string, over: Record<string, unknown>, code: string | null][] = [
  ['a call that is answered', { ns: 'storage', method: 'set', args: { key: SECRET, value: SECRET } }, 'ok'],
  ['a title', { method: 'set_title', args: { title: SECRET } }, 'ok'],
  ['a key that is not there', { ns: 'storage', method: 'get', args: { key: `${SECRET}2` } }, 'not_found'],
  ['arguments of the wrong kind', { method: 'set_title', args: { title: { [SECRET]: 1 } } }, 'invalid_arg'],
  ['a tool', { ns: 'tools', method: 'invoke', args: { tool_id: 'odd.echo', args: { a: SECRET } } }, 'ok'],
  ['a failing tool', { ns: 'tools', method: 'invoke', args: { tool_id: `odd.${SECRET}` } }, 'invalid_arg'],
  ['an unknown method', { method: SECRET }, 'not_implemented'],
  ['an unknown namespace', { ns: SECRET }, 'permission_denied'],
  ['the uuid of no window', { window_uuid: SECRET }, 'invalid_token'],
  ['no envelope', { args: SECRET }, null],
]

it.each(calls)('%s is logged without its arguments and token', async (_name, over, code) => {
  const { window } = services
  logged.length = 0
  const call = {
    id: SECRET,
    window_uuid: window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
    ...over,
  }
  await window.post(JSON.stringify(call))
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'call')
  expect(lines.map((line) => line.code)).toEqual(code === null ? [] : [code])
  for (const text of [SECRET, window.token, window.cookie.split('=')[1] ?? window.cookie])
    expect(logged.join('')).not.toContain(text)
})

it.each([
  ['a token that is none', { 'x-svc-app-token': SECRET }],
  ['a cookie that is none', { cookie: `svc_signin_8787=${SECRET}` }],
  ['no sign-in', { cookie: null }],
])('%s leaves no trace of a token', async (_name, headers) => {
  logged.length = 0
  const { status } = await services.window.post(
    JSON.stringify({ id: SECRET }),
    headers as Record<string, string>,
  )
  expect(status).toBe(401)
  for (const text of [SECRET, services.window.token]) expect(logged.join('')).not.toContain(text)
})

/** Calls that leave an entry of the audit log, and what it says. */
const audited: [name: string, said: Partial<AuditEntry>][] = [
  ['a tool', { what: 'tool.call', outcome: 'ok', target: 'odd.echo', method: 'invoke' }],
  ['a failing tool', { what: 'tool.call', outcome: 'invalid_arg' }],
  ['an unknown namespace', { what: 'denied', outcome: 'permission_denied', method: '?.?' }],
  ['the uuid of no window', { what: 'denied', outcome: 'invalid_token', method: 'window.heartbeat' }],
]

verifies.each(['audit.entry', 'audit.denied'])(calls)(
  '%s leaves in the audit log what it should, without its arguments and token',
  async (name, over) => {
    const { window } = services
    // The sink hears of an entry in the turn after the answer.
    const heard = () => new Promise(setImmediate)
    await heard()
    noted.length = 0
    const ids = { id: SECRET, window_uuid: window.windowUuid }
    await window.post(JSON.stringify({ ...ids, ns: 'window', method: 'heartbeat', args: {}, ...over }))
    await heard()
    const said = audited.filter(([one]) => one === name).map(([, entry]) => entry)
    expect(noted).toMatchObject(said)
    expect(noted.map(({ user_id, window_uuid }) => [user_id, window_uuid])).toEqual(
      said.map(() => ['ada', window.windowUuid]),
    )
    for (const text of [SECRET, window.token]) expect(JSON.stringify(noted)).not.toContain(text)
  },
)

it('writes its lines to a logger that has four methods and no more, as console has', async () => {
  const lines: unknown[][] = []
  const take = (...line: unknown[]) => void lines.push(line)
  const plain = await openToolHost({ logger: { debug: take, info: take, warn: take, error: take } })
  onTestFinished(() => plain.close())
  const answer = await plain.window.call('window', 'heartbeat', {})
  expect(answer).toMatchObject({ ok: true })
  expect(lines.map(([, message]) => message)).toContain('call')
})
