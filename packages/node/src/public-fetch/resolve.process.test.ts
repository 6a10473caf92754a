import { createSocket } from 'node:dgram'
import { openFetchBed } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { afterEach, expect, it, vi } from 'vitest'
import { askNameServers } from './resolve.ts'

/** A request on loopback arrives at once; a busy machine may be late. */
const ARRIVES_MS = 5_000

const A = 1
const CNAME = 5
const AAAA = 28
const TTL_S = [0, 0, 0, 60]

/** A name on the wire: each label behind its length. */
const wireName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.from([0]),
  ])

const record = (name: string, type: number, data: Uint8Array) =>
  Buffer.concat([wireName(name), Buffer.from([0, type, 0, 1, ...TTL_S, 0, data.length]), data])

/** Records that answer one question about `asked` by its type; `null`: silence. */
type Zone = (type: number, asked: string) => Buffer[] | null

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A name server on loopback; returns its address and the types that it was asked for. */
async function nameServer(zone: Zone) {
  const questions: number[] = []
  const socket = createSocket('udp4', (query, from) => {
    const end = query.indexOf(0, 12)
    const type = query.readUInt16BE(end + 1)
    questions.push(type)
    const labels: string[] = []
    for (let at = 12; at < end; at += (query[at] ?? 0) + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
    const records = zone(type, labels.join('.'))
    if (!records) return
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, query.subarray(12, end + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  closers.push(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, questions }
}

const v4 = (...bytes: number[]) => Buffer.from(bytes)
const v6 = Buffer.from('26064700000000000000000000001111', 'hex')

it.each<[string, Zone, string[]]>([
  [
    'both families',
    (type, name) => [type === A ? record(name, A, v4(8, 8, 8, 8)) : record(name, AAAA, v6)],
    ['8.8.8.8', '2606:4700::1111'],
  ],
  ['one family', (type, name) => (type === A ? [record(name, A, v4(8, 8, 8, 8))] : []), ['8.8.8.8']],
  [
    'several',
    (type, name) => (type === A ? [record(name, A, v4(8, 8, 8, 8)), record(name, A, v4(10, 0, 0, 1))] : []),
    ['8.8.8.8', '10.0.0.1'],
  ],
  [
    'another name, which is private',
    (type, name) => [
      record(name, CNAME, wireName('inside.site.org')),
      ...(type === A ? [record('inside.site.org', A, v4(127, 0, 0, 1))] : []),
    ],
    ['127.0.0.1'],
  ],
  ['nothing', () => [], []],
])('all addresses of a name: %s', async (_name, zone, addresses) => {
  const { server, questions } = await nameServer(zone)
  expect(await askNameServers([server])('cdn.site.org', new AbortController().signal)).toEqual(addresses)
  expect(questions.sort((a, b) => a - b)).toEqual([A, AAAA])
})

it('a fetch of a name whose other name is private opens no socket', async () => {
  const { server } = await nameServer((type, name) => [
    record(name, CNAME, wireName('inside.site.org')),
    ...(type === A ? [record('inside.site.org', A, v4(169, 254, 169, 254))] : []),
  ])
  const bed = await openFetchBed((_req, res) => res.end('x'), { resolve: askNameServers([server]) })
  expect(await refusal(bed.text('https://cdn.site.org/'))).toContain(
    'cdn.site.org has an address that is not public',
  )
  expect(bed.dialed).toEqual([])
  await bed.close()
})

it('is given up at once', async () => {
  const { server, questions } = await nameServer(() => null)
  const leave = new AbortController()
  const asking = askNameServers([server])('cdn.site.org', leave.signal)
  await vi.waitUntil(() => questions.length === 2, ARRIVES_MS)
  leave.abort()
  expect(await asking).toEqual([])
  await expect(askNameServers([server])('cdn.site.org', leave.signal)).rejects.toThrow('aborted')
  expect(questions.length).toBe(2)
})
