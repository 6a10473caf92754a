import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { type Line, lineSplitter } from './lines.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Everything that comes out when `chunks` go in: text of lines, lengths of dropped ones. */
function split(chunks: readonly Uint8Array[], maxBytes = 1_000): (string | number)[] {
  const out: (string | number)[] = []
  const splitter = lineSplitter(maxBytes, (line) =>
    out.push('tooLong' in line ? line.tooLong : Buffer.from(line).toString('latin1')),
  )
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return out
}

/** The oracle: text cut at each line feed, the rest behind the last one only where there is some. */
const naive = (bytes: Uint8Array) => {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Bytes with many line feeds, and the places where they are cut into chunks. */
const cutBytes = fc
  .array(fc.oneof(fc.constant(0x0a), fc.integer({ min: 0, max: 255 })), { maxLength: 200 })
  .chain((bytes) =>
    fc.tuple(
      fc.constant(Uint8Array.from(bytes)),
      fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }).map((cuts) => cuts.sort((a, b) => a - b)),
    ),
  )

const chunksOf = (bytes: Uint8Array, cuts: readonly number[]) =>
  [0, ...cuts].map((from, at) => bytes.slice(from, cuts[at] ?? bytes.length))

verifies('decision.lines.lf_only', 'gives the same lines however the bytes are cut', () => {
  fc.assert(
    fc.property(cutBytes, ([bytes, cuts]) => {
      expect(split(chunksOf(bytes, cuts))).toEqual(naive(bytes))
    }),
    { numRuns: rounds(500) },
  )
})

verifies('decision.lines.cap', 'judges each line by its bytes however they are cut', () => {
  fc.assert(
    fc.property(cutBytes, fc.nat({ max: 20 }), ([bytes, cuts], cap) => {
      const lines = split(chunksOf(bytes, cuts), cap)
      const expected = naive(bytes)
      expect(lines).toHaveLength(expected.length)
      for (const [at, line] of lines.entries()) {
        const whole = expected[at] ?? ''
        if (typeof line === 'string') expect(line).toBe(whole)
        else {
          expect(line).toBeGreaterThan(cap)
          expect(line).toBeLessThanOrEqual(whole.length)
        }
        expect(typeof line === 'string').toBe(whole.length <= cap)
      }
    }),
    { numRuns: rounds(500) },
  )
})

verifies.each('decision.lines.cap')([
  ['exactly the cap', ['12345678\n'], ['12345678']],
  ['one byte more', ['123456789\n'], [9]],
  ['exactly the cap in two', ['1234', '5678\n'], ['12345678']],
  ['one byte more in two', ['1234', '56789\n'], [9]],
  ['the next line is whole', ['123456789', '0123', '4\nok\n'], [9, 'ok']],
  ['the cap without an end', ['12345678'], ['12345678']],
  ['over the cap without an end', ['123456789', 'x'], [9]],
  ['nothing at all', [], []],
  ['blank lines', ['\n', '\n\n'], ['', '', '']],
] as const)('%s', (_name, chunks, lines) => {
  expect(split(chunks.map(encode), 8)).toEqual(lines)
})

verifies('decision.lines.cap', 'holds nothing of a line that is over it, and says so at once', () => {
  const told: Line[] = []
  const splitter = lineSplitter(8, (line) => told.push(line))
  splitter.push(encode('12345678'))
  expect(splitter.heldBytes).toBe(8)
  expect(told).toEqual([])
  splitter.push(encode('9'))
  expect(told).toEqual([{ tooLong: 9 }])
  expect(splitter.heldBytes).toBe(0)
  for (let more = 0; more < 1_000; more++) splitter.push(encode('more and more'))
  expect(splitter.heldBytes).toBe(0)
  expect(told).toHaveLength(1)
})

verifies.each('decision.lines.cap')([
  ['exactly what is kept', ['1234\n'], ['1234']],
  ['exactly what is kept, in two chunks', ['12', '34\n'], [['1234', 4]]],
  ['one byte more', ['12345\n'], [['1234', 5]]],
  ['one byte more in crumbs', ['1', '2', '3', '4', '5', '\n'], [['1234', 5]]],
  ['much more', ['123', '456', '78\n'], [['1234', 8]]],
  ['over the cap', ['123', '456', '789', '0\n'], [9]],
  ['without an end', ['12345'], [['1234', 5]]],
  ['the next line is whole', ['123456\nok\n'], [['1234', 6], 'ok']],
] as const)('keeps the beginning of a long line: %s', (_name, chunks, expected) => {
  const out: unknown[] = []
  let told: string[] = []
  const splitter = lineSplitter(
    8,
    (line) => {
      told = []
      out.push('tooLong' in line ? line.tooLong : decode(line))
    },
    {
      keepBytes: 4,
      onPiece: (piece) => told.push(decode(piece)),
      onEnd(pieces, bytes) {
        const kept = pieces.map((piece) => decode(piece)).join('')
        expect(told.join('')).toBe(kept)
        told = []
        out.push([kept, bytes])
      },
    },
  )
  for (const chunk of chunks) splitter.push(encode(chunk))
  splitter.end()
  expect(out).toEqual(expected)
})

it('stops behind the line with which its reader had enough, and goes on from there', () => {
  const out: string[] = []
  const splitter = lineSplitter(100, (line) => out.push(decode(line as Uint8Array)) % 2 !== 0)
  const chunk = encode('a\nb\nc\nd\ne')
  const stops = [splitter.push(chunk)]
  expect(out).toEqual(['a', 'b'])
  stops.push(splitter.push(chunk, stops[0]))
  expect(out).toEqual(['a', 'b', 'c', 'd'])
  stops.push(splitter.push(chunk, stops[1]))
  splitter.end()
  expect([out.at(-1), stops]).toEqual(['e', [4, 8, 9]])
})

verifies.each('decision.lines.lf_only')([
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['next line', '\u0085'],
  ['vertical tab', '\v'],
  ['form feed', '\f'],
  ['carriage return', '\r'],
])('keeps a %s inside a line', (_name, mark) => {
  const bytes = encode(`a${mark}b\nc`)
  const lines: string[] = []
  for (let cut = 0; cut <= bytes.length; cut++) {
    lines.length = 0
    const splitter = lineSplitter(100, (line) => lines.push(decode(line as Uint8Array)))
    splitter.push(bytes.subarray(0, cut))
    splitter.push(bytes.subarray(cut))
    splitter.end()
    expect(lines).toEqual([`a${mark}b`, 'c'])
  }
})

/** The lengths of all that is copied meanwhile. Node's own messages between processes are copied so too: nothing waits here. */
function copiedBy(work: () => void): number[] {
  const set = vi.spyOn(Uint8Array.prototype, 'set')
  try {
    work()
    return set.mock.calls.map(([part]) => part.length)
  } finally {
    set.mockRestore()
  }
}

verifies.each('decision.lines.cost')([
  ['pieces once', 2_048, 1],
  ['crumbs twice', 1, 2],
])('copies %s at most', (_, pieceBytes, times) => {
  const size = 20_480
  const out: Line[] = []
  const splitter = lineSplitter(size, (line) => out.push(line))
  const copied = copiedBy(() => {
    for (let at = 0; at < size; at += pieceBytes) splitter.push(new Uint8Array(pieceBytes).fill(0x61))
    splitter.push(Uint8Array.of(0x0a))
  }).reduce((sum, length) => sum + length, 0)
  expect(out).toEqual([new Uint8Array(size).fill(0x61)])
  expect(copied).toBeGreaterThanOrEqual(size)
  expect(copied).toBeLessThanOrEqual(size * times)
})

verifies('decision.lines.cost', 'holds crumbs in few pieces', () => {
  const splitter = lineSplitter(20_000, () => {})
  for (let at = 0; at < 20_000; at++) splitter.push(Uint8Array.of(0x61))
  expect(copiedBy(splitter.end).length).toBeLessThan(1_200)
})

verifies('decision.lines.cost', 'copies nothing of lines inside one chunk', () => {
  const chunk = encode('one\ntwo\nthree\n')
  const buffers: unknown[] = []
  const splitter = lineSplitter(100, (line) => buffers.push((line as Uint8Array).buffer))
  expect(copiedBy(() => void splitter.push(chunk))).toEqual([])
  expect(buffers).toEqual([chunk.buffer, chunk.buffer, chunk.buffer])
})

it('may be ended twice, and goes on after an end', () => {
  const out: string[] = []
  const splitter = lineSplitter(100, (line) => out.push(decode(line as Uint8Array)))
  splitter.push(encode('a'))
  splitter.end()
  splitter.end()
  splitter.push(encode('b\n'))
  expect(out).toEqual(['a', 'b'])
})
