import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import type { Line } from '@svc/contract/lines'
import { expect, test } from 'vitest'
import { type Reader, readLines } from './reader.ts'

const BURST = 10
const LINES = 100
/** A rest lasts until something ends it: on a busy machine a short one is over within the turn in which it began. */
const long = { ...limits, NOISE_REST_MS: 3_600_000 }

/** A reader that rests after each ten lines; `bursts` counts the lines of each turn of the loop. */
function open(onLine: (reader: Reader) => void = () => {}) {
  const stream = new PassThrough()
  const bursts: number[] = []
  let lines = 0
  let turn: NodeJS.Immediate | undefined
  const reader: Reader = readLines(stream, long, {
    maxBytes: limits.LINE_MAX_BYTES,
    onLine() {
      if (!turn) bursts.push(0)
      turn ??= setImmediate(() => {
        turn = undefined
      })
      bursts.push((bursts.pop() ?? 0) + 1)
      lines += 1
      if (lines % BURST === 0) reader.rest()
      onLine(reader)
    },
  })
  const ended = once(stream, 'end')
  return { reader, bursts, ended, write: () => stream.end('\n'.repeat(LINES)) }
}

verifies('wall.plugin.flood', 'what a process left leaves others a turn after each burst', async () => {
  const { reader, bursts, write } = open()
  write()
  await new Promise(setImmediate)
  await new Promise<void>((over) => reader.drain(over))
  expect(bursts).toEqual(Array(LINES / BURST).fill(BURST))
})

verifies(
  'wall.plugin.flood',
  'the end takes what has come, a turn after each burst, and nothing later',
  async () => {
    const { reader, bursts, write } = open()
    write()
    expect(bursts).toEqual([BURST])
    await new Promise(setImmediate)
    await new Promise<void>((over) => reader.end(over))
    expect(bursts).toEqual(Array(LINES / BURST).fill(BURST))
  },
)

test('the end does not wait for a stream that somebody holds open', async () => {
  const stream = new PassThrough()
  const lines: string[] = []
  const onLine = (line: Line) => void lines.push(Buffer.from(line as Uint8Array).toString())
  const reader = readLines(stream, limits, { maxBytes: limits.LINE_MAX_BYTES, onLine })
  stream.write('one\nlast')
  await new Promise(setImmediate)
  let overs = 0
  reader.end(() => void overs++)
  stream.end('later\n')
  await new Promise(setImmediate)
  expect({ overs, lines }).toEqual({ overs: 1, lines: ['one', 'last'] })
})

verifies('wall.plugin.flood', 'what is ignored is thrown away to its end', async () => {
  const { reader, bursts, ended, write } = open((own) => own.ignore())
  write()
  await ended
  expect(bursts).toEqual([1])
  reader.end(() => {})
  expect(bursts).toEqual([1])
})

verifies(
  'pause.turn',
  'a long line leaves others a turn after each two chunks, however many have come',
  async () => {
    const stream = new PassThrough({ highWaterMark: limits.LINE_MAX_BYTES })
    const bursts: number[] = []
    let isTurn = false
    const told = new Promise<number>((resolve) => {
      readLines(stream, limits, {
        maxBytes: limits.LINE_MAX_BYTES,
        onLine() {},
        long: {
          keepBytes: limits.LINE_MAX_BYTES,
          onPiece() {
            if (!isTurn) {
              isTurn = true
              bursts.push(0)
              setImmediate(() => {
                isTurn = false
              })
            }
            bursts.push((bursts.pop() ?? 0) + 1)
          },
          onEnd: (_pieces, bytes) => resolve(bytes),
        },
      })
    })
    for (let chunk = 0; chunk < 20; chunk++) stream.write(Buffer.alloc(65_536, 'x'))
    stream.write('\n')
    expect(await told).toBe(20 * 65_536)
    expect(Math.max(...bursts)).toBe(2)
  },
)
