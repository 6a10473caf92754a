import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BytesHostFigures, BytesHostReady } from './testing/bytes-host.ts'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { longTurnMaxMs } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

const READERS = 100
const FILE_BYTES = 20_971_520
const READER_STALLED_MS = 2_000
/** What a reader who does not read may cost. */
const READER_MAX_MIB = 1
let host: HostProcess
let at: BytesHostReady

beforeAll(async () => {
  host = startHostProcess('bytes-host.ts', [JSON.stringify({ READER_STALLED_MS })])
  at = JSON.parse(await host.line('ready'))
})
afterAll(() => host.kill())

let asked = 0
async function figures(): Promise<BytesHostFigures> {
  asked += 1
  host.tell(`figures-${asked}`)
  return JSON.parse(await host.line(`figures-${asked}`))
}

/** A reader of the large file, without a sign-in, who has read its head alone. */
async function openReader() {
  const asking: ClientRequest = get(at.url + at.file, { agent: false })
  // A cut is what the test waits for.
  asking.on('error', () => {})
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  const ended = new Promise<'whole' | 'cut'>((resolve) => {
    answer.once('end', () => resolve('whole')).once('error', () => resolve('cut'))
  })
  return { answer: answer.pause(), ended }
}

async function readSlowly() {
  const { answer, ended } = await openReader()
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    answer.pause()
    setTimeout(() => answer.resume(), 5)
  })
  answer.resume()
  return { how: await ended, bytes }
}

verifies(
  'served.stalled',
  'a hundred who do not read a file cost little and are cut off; one who reads slowly has it whole',
  async () => {
    const before = (await figures()).memoryMiB
    const slow = readSlowly()
    const stalled = await Promise.all(Array.from({ length: READERS }, openReader))
    const { memoryMiB, longestTurnMs, controlMs } = await figures()
    expect(memoryMiB - before).toBeLessThan(READERS * READER_MAX_MIB)
    expect(longestTurnMs).toBeLessThan(longTurnMaxMs({ controlMs }))
    expect(await slow).toEqual({ how: 'whole', bytes: FILE_BYTES })
    while ((await figures()).sockets > 0);
    // What the kernel holds of a file can still be read, and no more comes.
    for (const { answer } of stalled) answer.resume()
    expect(new Set(await Promise.all(stalled.map(({ ended }) => ended)))).toEqual(new Set(['cut']))
  },
  60_000,
)

test('who reads at once has the file whole', async () => {
  const { answer, ended } = await openReader()
  answer.resume()
  expect(await ended).toBe('whole')
})
