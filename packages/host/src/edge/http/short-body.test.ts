import { expect, it } from 'vitest'
import { counted } from './short-body.ts'

const READ = 'the body was read before the request came to this host'

/** A request of this text, whose head says that its body has these bytes. */
const post = (body: string, length = body.length) =>
  new Request('http://host.test/', { method: 'POST', body, headers: { 'content-length': String(length) } })

async function read(request: Request): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of counted(request, undefined)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it.each([
  ['a body', post('{}'), '{}'],
  ['a body of no bytes', post(''), ''],
  ['no body', new Request('http://host.test/', { method: 'POST' }), ''],
])('reads %s', async (_, request, text) => {
  expect(await read(request)).toBe(text)
})

it('says that somebody has read a body before', async () => {
  const used = post('{}')
  await used.text()
  await expect(read(used)).rejects.toThrow(READ)
  // A body parser of Node's requests leaves an empty one.
  await expect(read(post('', 2))).rejects.toThrow(READ)
})
