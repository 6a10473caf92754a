import { openToolHost, type ToolHost } from '@svc/conformance/tool-host'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

const SECRET = 'hush-hush'
const logged: string[] = []
let house: ToolHost

beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  house = await openToolHost({ logger, manifest: { required_plugs: ['odd'], host_api: { storage: ['*'] } } })
})
afterAll(() => house.close())

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
  const { window } = house
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
  ['a cookie that is none', { cookie: `svc_signin=${SECRET}` }],
  ['no sign-in', { cookie: null }],
])('%s leaves no trace of a token', async (_name, headers) => {
  logged.length = 0
  const { status } = await house.window.post(
    JSON.stringify({ id: SECRET }),
    headers as Record<string, string>,
  )
  expect(status).toBe(401)
  for (const text of [SECRET, house.window.token]) expect(logged.join('')).not.toContain(text)
})
