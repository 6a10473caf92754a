import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { TAR_END, tarEntry, tarOf, zipOf } from './testing/archives.ts'
import type { BytesHostFigures, BytesHostReady } from './testing/bytes-host.ts'
import { testManifest } from './testing/host.ts'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { someRows } from './testing/some-rows.ts'
import { measuredTurn, turnMaxMs } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

const RPC = '/api/v1/svc-apps/runtime/rpc'
let host: HostProcess
let at: BytesHostReady

beforeAll(async () => {
  host = startHostProcess('bytes-host.ts')
  at = JSON.parse(await host.line('ready'))
})
afterAll(() => host.kill())

let asked = 0
async function figures(): Promise<BytesHostFigures> {
  asked += 1
  host.tell(`figures-${asked}`)
  return JSON.parse(await host.line(`figures-${asked}`))
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
  const { longestTurnMs, maxMs } = await measuredTurn(async () => {
    await figures()
    const answer = await fetch(at.url + RPC, { method: 'POST', headers, body })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    expect(error).toMatchObject({ code: 'invalid_arg', message: expect.stringContaining('may have at most') })
    return figures()
  })
  expect(longestTurnMs).toBeLessThan(maxMs)
})

/** Tens of MB leave garbage, whose collection is part of some turn and cannot be cut. */
const GARBAGE = 1.5

const push = (type: string, body: Uint8Array) =>
  fetch(`${at.url}/api/v1/svc-apps/apps/${at.appId}/draft`, {
    method: 'PUT',
    headers: { cookie: at.ada.cookie, origin: at.url, 'content-type': type },
    body: new Uint8Array(body),
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
/** Folders within folders, each file in its own. */
const nested = files.map(({ body }, at) => ({ name: `${at.toString(36)}/${'d/'.repeat(30)}x`, body }))
const packed = files.map(({ name, body }) => ({ name, body, stored: false }))
/** Packed, it is long; unpacked, it is nothing. */
const hollow = {
  name: 'hollow',
  body: Buffer.concat([
    Buffer.alloc(50_000_000, Buffer.from([0, 0, 0, 255, 255])),
    Buffer.from([1, 0, 0, 255, 255]),
  ]),
  stored: true,
  method: 8,
  size: 0,
  crc: 0,
}
const longManifest = { name: 'manifest.json', body: `[${'1,'.repeat(20_000_000)}1]` }

const pushes = [
  ['headers in a tar', 'application/x-tar', headers, 400],
  ['headers in a packed tar', 'application/gzip', () => gzipSync(headers(), { level: 1 }), 400],
  ['files in a tar', 'application/x-tar', () => tarOf(entry, ...files), 200],
  ['files in a zip', 'application/zip', () => zipOf([entry, ...files]), 200],
  ['packed files in a zip', 'application/zip', () => zipOf([entry, ...packed]), 200],
  ['a long file in a zip that holds nothing', 'application/zip', () => zipOf([entry, hollow]), 200],
  ['files in folders of their own', 'application/x-tar', () => tarOf(entry, ...nested), 200],
  ['a long manifest', 'application/x-tar', () => tarOf(longManifest), 400],
  [
    'one file in JSON',
    'application/json',
    () => Buffer.from(JSON.stringify({ manifest, files: { a: long } })),
    200,
  ],
] as const

verifies.each('pause.turn')(someRows<(typeof pushes)[number]>(pushes, 4))(
  'a push of %s keeps nobody waiting',
  async (_name, type, bodyOf, status) => {
    const body = bodyOf()
    // Making it takes seconds, in which the host ends idle connections; the client learns of it while it waits here.
    await figures()
    // The first of a kind loads what the others need.
    await push('application/x-tar', Buffer.concat([...Array(2_000).fill(header), tarEntry(entry), TAR_END]))
    const { longestTurnMs, maxMs } = await measuredTurn(
      async () => {
        await figures()
        const answer = await push(type, body)
        expect(answer.status).toBe(status)
        return figures()
      },
      (found) => GARBAGE * turnMaxMs(found),
    )
    expect(longestTurnMs).toBeLessThan(maxMs)
  },
)
