import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { TAR_END, tarEntry, tarOf, zipOf } from './fixtures/archives.ts'
import type { BytesHostFigures, BytesHostReady } from './fixtures/bytes-host.ts'
import { type HostProcess, startHostProcess } from './fixtures/host-process.ts'
import { testManifest } from './test-host.ts'
import { verifies } from './verifies.ts'

const RPC = '/api/v1/svc-apps/runtime/rpc'
/** For how long one caller may keep the others waiting, in CPU time of the host's main thread. */
const TURN_MAX_MS = 250
let host: HostProcess
let at: BytesHostReady

beforeAll(async () => {
  host = startHostProcess('bytes-host.ts')
  at = JSON.parse(await host.line('ready'))
})
afterAll(() => host.kill())

let asked = 0
async function longestTurnMs(): Promise<number> {
  asked += 1
  host.tell(`figures-${asked}`)
  const figures: BytesHostFigures = JSON.parse(await host.line(`figures-${asked}`))
  return figures.longestTurnMs
}

const BODY_BYTES = 6_291_456
const filled = (unit: string) => unit.repeat(Math.floor((BODY_BYTES - 500) / unit.length)).slice(0, -1)
const setOf = (value: string) =>
  `{"id":"1","window_uuid":"${at.ada.windowUuid}","ns":"storage","method":"set","args":{"key":"k","value":${value}}}`

verifies.each('pause.loop')([
  ['lists', () => `[${filled('[],')}]`],
  ['objects', () => `[${filled('{},')}]`],
  ['names', () => `{${filled('"a name":1,')}}`],
])('a body of %s keeps nobody waiting', async (_name, value) => {
  const { token, cookie } = at.ada
  const headers = { 'x-svc-app-token': token, cookie, origin: at.url, 'content-type': 'application/json' }
  const body = setOf(value())
  await longestTurnMs()
  const answer = await fetch(at.url + RPC, { method: 'POST', headers, body })
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  expect(error).toMatchObject({ code: 'invalid_arg', message: expect.stringContaining('may have at most') })
  expect(await longestTurnMs()).toBeLessThan(TURN_MAX_MS)
})

const manifest = testManifest({ host_api: { storage: ['*'], agent: { session: { auto: true } } } })
const entry = { name: 'manifest.json', body: JSON.stringify(manifest) }
const header = tarEntry({ name: 'g', type: 'g' })
const headers = () => Buffer.concat([...Array(100_000).fill(header), tarEntry(entry), TAR_END])
const files = Array.from({ length: 9_990 }, (_, at) => ({
  name: `${'x'.repeat(40)}-${at}`,
  body: `${at}`,
  stored: true,
}))
const long = 'A'.repeat(60_000_000)

verifies.each('pause.loop')([
  ['headers in a tar', 'application/x-tar', headers, 400],
  ['headers in a packed tar', 'application/gzip', () => gzipSync(headers(), { level: 1 }), 400],
  ['files in a tar', 'application/x-tar', () => tarOf(entry, ...files), 200],
  ['files in a zip', 'application/zip', () => zipOf([entry, ...files]), 200],
  [
    'one file in JSON',
    'application/json',
    () => Buffer.from(JSON.stringify({ manifest, files: { a: long } })),
    200,
  ],
] as const)('a push of %s keeps nobody waiting', async (_name, type, bodyOf, status) => {
  const body = bodyOf()
  await longestTurnMs()
  const answer = await fetch(`${at.url}/api/v1/svc-apps/apps/${at.appId}/draft`, {
    method: 'PUT',
    headers: { cookie: at.ada.cookie, origin: at.url, 'content-type': type },
    body: new Uint8Array(body),
  })
  expect(answer.status).toBe(status)
  expect(await longestTurnMs()).toBeLessThan(TURN_MAX_MS)
})
