import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openThreads } from '../../kernel/threads/threads.ts'
import { parseInThread } from './parse-in-thread.ts'
import type { ParseOrder } from './parse-worker.ts'

function openParser() {
  const threads = openThreads()
  return { parse: (body: ParseOrder) => parseInThread(threads, 'ada', body), close: () => threads.close() }
}

const caps = { maxDepth: 64, maxParts: 16_384, maxTextBytes: 1_048_576, maxNameBytes: 16_384 }
function given(text: string) {
  const body = Buffer.from(text)
  const bytes = new ArrayBuffer(body.length)
  new Uint8Array(bytes).set(body)
  return { bytes, size: body.length, ...caps }
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'x'.repeat(5_000),
    '\u00e9'.repeat(5_000),
    `${'y'.repeat(4_096)}\u2028`,
    '\ud800'.repeat(4_097),
  ),
)
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '0')), tie('node'), {
      maxKeys: 4,
    }),
  ),
})).node

verifies('wall.body.run.apart', 'another thread parses what this one would have', async () => {
  const parser = openParser()
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const json = JSON.stringify({ one })
      const found = await parser.parse(given(json))
      expect('value' in found && JSON.stringify(found.value)).toBe(JSON.stringify(JSON.parse(json)))
      expect('value' in found && found.value).toEqual(JSON.parse(json))
    }),
    { numRuns: 25 },
  )
  await parser.close()
})

it('long texts of one object stay bytes where those are its characters', async () => {
  const threads = openThreads()
  const long = 'x'.repeat(5_000)
  const wide = '\u20ac'.repeat(5_000)
  const body = { files: { long, wide, short: 'x', inner: { long } }, long }
  const found = await parseInThread(threads, 'ada', given(JSON.stringify(body)), 'files')
  expect('value' in found && found.value).toEqual({
    ...body,
    files: { ...body.files, long: new TextEncoder().encode(long) },
  })
  await threads.close()
})

it('the bytes change hands, and bodies go one after the other', async () => {
  const parser = openParser()
  const bodies = [1, 2, 3].map((n) => given(`{"n":${n}}`))
  const order: unknown[] = []
  await Promise.all(
    bodies.map(async (body) => {
      const found = await parser.parse(body)
      order.push('value' in found ? found.value : found.problem)
      expect(body.bytes.detached).toBe(true)
    }),
  )
  expect(order).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  await parser.close()
})

it('a parser that closes ends what is under way and begins nothing', async () => {
  const parser = openParser()
  const bodies = [given('{"a":1}'), given('{"a":2}')].map((body) => parser.parse(body))
  const outcomes = Promise.allSettled(bodies)
  await new Promise((resolve) => setImmediate(resolve))
  await parser.close()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(parser.parse(given('{}'))).rejects.toThrow('closed')
})
