import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { answers, type Shape, shapes } from './testing/json-shapes.ts'
import type { LoopHostReady } from './testing/loop-host.ts'
import { someRows } from './testing/some-rows.ts'
import { measuredTurn, type TurnFigures } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

const RPC = '/api/v1/svc-apps/runtime/rpc'
let host: HostProcess
let at: LoopHostReady

beforeAll(async () => {
  host = startHostProcess('loop-host.ts')
  at = JSON.parse(await host.line('ready'))
  // The first of each loads what the others need.
  await rpc(callOf('tools', 'invoke', '{"tool_id":"odd","method":"echo"}'))
  await answer(shapes.text(limits.SYNC_PAYLOAD_MAX_BYTES / 2))
  await rpc(callOf('storage', 'set', `{"key":"k","value":${shapes.numbers(limits.BODY_APART_BYTES)}}`))
})
const folder = mkdtempSync(join(tmpdir(), 'svc-loop-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
  return host.kill()
})

let asked = 0
async function figures(): Promise<TurnFigures> {
  asked += 1
  host.tell(`figures-${asked}`)
  return JSON.parse(await host.line(`figures-${asked}`))
}

async function send(path: string, method: string, body: string): Promise<string> {
  const { token, cookie, url } = at
  const headers = { 'x-svc-app-token': token, cookie, origin: url, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, body })
  return `${answer.status} ${await answer.text()}`
}
const rpc = (body: string) => send(RPC, 'POST', body)
const callOf = (ns: string, method: string, args: string) =>
  `{"id":"1","window_uuid":"${at.windowUuid}","ns":"${ns}","method":"${method}","args":${args}}`

const ROOM_BYTES = 400
const draft = () => `/api/v1/svc-apps/apps/${at.appId}/draft`
const key = (value: string) => `{"key":"k","value":${value}}`
const tool = (value: string) => `{"tool_id":"odd","method":"size","args":{"bytes":8,"v":${value}}}`

/** What one sends with a shape, and what is answered. */
const inputs: readonly [name: string, of: (shape: Shape) => Promise<string>][] = [
  ['a call', (shape) => rpc(callOf('no', 'such', `{"a":${shape(limits.RPC_BODY_MAX_BYTES - ROOM_BYTES)}}`))],
  [
    'a value',
    (shape) => rpc(callOf('storage', 'set', key(shape(limits.STORAGE_VALUE_MAX_BYTES - ROOM_BYTES)))),
  ],
  ['a value that is read', () => rpc(callOf('storage', 'get', '{"key":"k"}'))],
  [
    'arguments of a tool',
    (shape) => rpc(callOf('tools', 'invoke', tool(shape(limits.RPC_BODY_MAX_BYTES - ROOM_BYTES)))),
  ],
  [
    'a list of calls',
    (shape) => {
      const bytes = limits.RPC_BODY_MAX_BYTES / limits.BATCH_MAX_CALLS - ROOM_BYTES
      const call = callOf('storage', 'set', key(shape(Math.floor(bytes))))
      return rpc(`[${Array(limits.BATCH_MAX_CALLS).fill(call)}]`)
    },
  ],
  [
    'a body of a route',
    (shape) =>
      send('/api/v1/svc-apps/apps', 'POST', `{"a":${shape(limits.ROUTE_BODY_MAX_BYTES - ROOM_BYTES)}}`),
  ],
  [
    'a push',
    (shape) => send(draft(), 'PUT', `{"manifest":${shape(limits.RPC_BODY_MAX_BYTES - ROOM_BYTES)}}`),
  ],
]

const rows = Object.entries(shapes).flatMap(([name, shape]) =>
  inputs.map(([what, input]) => [name, what, () => input(shape)] as const),
)

async function holdTurns(input: () => Promise<string>): Promise<void> {
  const { longestTurnMs, maxMs } = await measuredTurn(async () => {
    await figures()
    expect(await input()).toMatch(/^[234]\d\d /)
    return figures()
  })
  expect(longestTurnMs).toBeLessThan(maxMs)
}

verifies.each('pause.turn')(someRows(rows, 16))('%s as %s keep nobody waiting', (_shape, _what, input) =>
  holdTurns(input),
)

const METADATA = JSON.stringify({ a: Array(2_600).fill(12_345) })
/** Values whose metadata is more than one list shows. */
async function fillStorage() {
  for (let at = 0; at < (2 * limits.STORAGE_LIST_MAX_BYTES) / METADATA.length; at += 1)
    await rpc(callOf('storage', 'set', `{"key":"m${at}","value":1,"metadata":${METADATA}}`))
}

const FILE_BYTES = limits.APP_FILE_MAX_BYTES - ROOM_BYTES
const fillFile = (pattern: string) =>
  rpc(
    callOf(
      'files',
      'write',
      JSON.stringify({ path: 'f', bytes_b64: Buffer.alloc(FILE_BYTES, pattern).toString('base64') }),
    ),
  )
const readFile = (form: string) => () => rpc(callOf('files', 'read', `{"path":"f","as":"${form}"}`))

/** What takes longer on a busy machine never comes. */
const PATIENCE_MS = 20_000
let session = ''
/** A session whose messages are as long as they may be. */
async function fillSession() {
  const made = await rpc(callOf('agent', 'session.create', '{"submode":"auto"}'))
  session = /"app_session_uuid":"([^"]+)"/.exec(made)?.[1] ?? ''
  const content = 'x'.repeat(limits.RUN_CONTENT_MAX_CHARS)
  for (const run_id of [randomUUID(), randomUUID()]) {
    await rpc(callOf('agent', 'session.run', JSON.stringify({ app_session_uuid: session, run_id, content })))
    const asked = JSON.stringify({ app_session_uuid: session, run_id })
    const isDone = async () => (await rpc(callOf('agent', 'session.attach', asked))).includes('"done":true')
    await vi.waitUntil(isDone, PATIENCE_MS)
  }
}

/** What is written first, and what is answered then. */
const lists: readonly [name: string, prepare: () => Promise<unknown>, ask: () => Promise<string>][] = [
  ['a file of letters', () => fillFile('x'), readFile('text')],
  ['a file of control characters', () => fillFile('\0'), readFile('text')],
  ['a file as base64', () => fillFile('x'), readFile('bytes_b64')],
  [
    'a long history',
    fillSession,
    () => rpc(callOf('agent', 'session.history', `{"app_session_uuid":"${session}","limit":200}`)),
  ],
  ['values with large metadata', fillStorage, () => rpc(callOf('storage', 'list', '{"limit":1000}'))],
]

verifies.each('pause.turn')(lists)('an answer of %s keeps nobody waiting', async (_what, prepare, ask) => {
  await prepare()
  await holdTurns(ask)
})

/** Each on a connection of its own. */
const AT_ONCE = 150
verifies('pause.turn', `${AT_ONCE} calls at once keep nobody waiting`, () =>
  holdTurns(async () => {
    const call = callOf('agent', 'session.create', '{"submode":"auto","system":"x"}')
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => rpc(call)))
    return answers.at(-1) ?? 'none'
  }),
)

test('a long answer, which goes out in parts, comes whole', async () => {
  // Eight bytes, so that a file holds whole letters and its parts begin at each of them.
  const letters = '\0\u{1f600}"\n\\'
  await fillFile(letters)
  const { result } = JSON.parse((await readFile('text')()).slice('200 '.length))
  expect(result.text === letters.repeat(FILE_BYTES / 8)).toBe(true)
})

/** Has the plugin answer with a text. */
function answer(text: string | Buffer): Promise<string> {
  const file = join(folder, 'answer.json')
  writeFileSync(file, text)
  const args = JSON.stringify({ tool_id: 'odd', method: 'file', args: { file } })
  return rpc(callOf('tools', 'invoke', args))
}

verifies.each('pause.turn')(
  someRows(
    Object.entries(answers).flatMap(([name, shape]) => [
      [name, 'an answer of a tool', limits.SYNC_PAYLOAD_MAX_BYTES - ROOM_BYTES, shape] as const,
      [name, 'an answer that is too large', limits.LINE_MAX_BYTES - ROOM_BYTES, shape] as const,
    ]),
    8,
  ),
)('%s as %s keep nobody waiting', async (_shape, _what, bytes, shape) => {
  const text = shape(bytes)
  const { longestTurnMs, maxMs } = await measuredTurn(async () => {
    await figures()
    expect(await answer(text)).toMatch(/^(200 \{|\d+ .*"result_too_large")/)
    return figures()
  })
  expect(longestTurnMs).toBeLessThan(maxMs)
})
