import { expect, it } from 'vitest'
import { eachLine } from './lines.ts'
import { createSseReader } from './sse.ts'

const bodyOf = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Uint8Array.from(piece, (char) => char.charCodeAt(0)))
      controller.close()
    },
  })

async function read(...pieces: string[]): Promise<unknown[]> {
  const said: unknown[] = []
  const take = createSseReader({
    event: (name, data) => said.push([name, data]),
    id: (id) => said.push({ id }),
    retry: (ms) => said.push(ms),
  })
  await eachLine(bodyOf(...pieces), take)
  return said
}

it.each([
  ['an unnamed event', ['data: {"a":1}\n\n'], [['message', '{"a":1}']]],
  ['a named one', ['event: reset\ndata: {}\n\n'], [['reset', '{}']]],
  ['its id first', ['id: 7\ndata: x\n\n'], [{ id: '7' }, ['message', 'x']]],
  ['an id alone', ['id: 7\n\n'], [{ id: '7' }]],
  ['several lines of data', ['data: a\ndata: b\n\n'], [['message', 'a\nb']]],
  ['no space, an inner colon', ['data:a:b\n\n'], [['message', 'a:b']]],
  ['CRLF', ['data: x\r\n\r\n'], [['message', 'x']]],
  ['pieces', ['da', 'ta: x', '\n', '\nretry: 5', '00\n\n'], [['message', 'x'], 500]],
  [
    'two events in one piece',
    ['data: a\n\ndata: b\n\n'],
    [
      ['message', 'a'],
      ['message', 'b'],
    ],
  ],
  [
    'a name that does not stay',
    ['event: n\ndata: a\n\ndata: b\n\n'],
    [
      ['n', 'a'],
      ['message', 'b'],
    ],
  ],
  ['a comment', [': hello\n\n'], []],
  ['a retry that is no number', ['retry: soon\n\n'], []],
  ['an event cut off at the end', ['data: a'], []],
])('reads %s', async (_, pieces, said) => {
  expect(await read(...pieces)).toEqual(said)
})

it('reads lines across pieces of a character, and the last without its end', async () => {
  const bytes = new TextEncoder().encode('é\nü')
  const lines: string[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  await eachLine(body, (line) => lines.push(line))
  await eachLine(null, (line) => lines.push(line))
  expect(lines).toEqual(['é', 'ü'])
})
