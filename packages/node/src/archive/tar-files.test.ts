import { buffer, text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { packTar, type TarFile, unpackTar } from './tar-files.ts'

const ascii = 'a'.repeat(99)
const made: readonly (readonly [path: string, bytes: string])[] = [
  ['one.txt', 'hello'],
  ['folder/empty', ''],
  ['block', 'b'.repeat(512)],
  [ascii, 'c'.repeat(1_025)],
]

async function* files(list = made): AsyncGenerator<TarFile> {
  for (const [path, content] of list) {
    const bytes = Buffer.from(content)
    yield { path, size: bytes.length, bytes: [bytes.subarray(0, 3), bytes.subarray(3)] }
  }
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* chunksOf({ bytes }: TarFile): AsyncGenerator<Uint8Array> {
  yield* bytes
}

async function unpacked(bytes: Buffer, size = bytes.length): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const file of unpackTar(cut(bytes, size))) found.push([file.path, await text(chunksOf(file))])
  return found
}

describe('a tar that is written as a stream', () => {
  test.each([1, 7, 511, 512, 513, 100_000])('is read again in chunks of %i bytes', async (size) => {
    expect(await unpacked(await buffer(packTar(files())), size)).toEqual(made)
  })

  test('may be read without the bytes of its files', async () => {
    const paths: string[] = []
    for await (const { path } of unpackTar(cut(await buffer(packTar(files())), 100))) paths.push(path)
    expect(paths).toEqual(made.map(([path]) => path))
  })

  test('has the same bytes each time', async () => {
    expect(await buffer(packTar(files()))).toEqual(await buffer(packTar(files())))
  })

  test('has no file of another size than was said, and no path without room', async () => {
    const wrong = { path: 'a', size: 4, bytes: [Buffer.from('abc')] }
    async function* one(file: TarFile): AsyncGenerator<TarFile> {
      yield file
    }
    await expect(buffer(packTar(one(wrong)))).rejects.toThrow('a must have 4 bytes, got 3')
    await expect(buffer(packTar(one({ ...wrong, size: 3, path: `${ascii}b` })))).rejects.toThrow(
      'must have at most 99 bytes',
    )
  })
})

describe('a tar that is read as a stream', () => {
  test('is refused wherever it is cut off', async () => {
    const bytes = await buffer(packTar(files()))
    for (let end = 0; end < bytes.length; end += 97)
      await expect(unpacked(bytes.subarray(0, end), 512), `at ${end}`).rejects.toMatchObject({
        code: 'invalid_arg',
      })
  })

  test.each([
    ['a link', 156, '2', 'has an entry that is not a plain file, "one.txt"'],
    ['a folder', 156, '5', 'has an entry that is not a plain file, "one.txt"'],
    ['a device', 156, '3', 'has an entry that is not a plain file, "one.txt"'],
    ['another name', 0, 'x', 'has a header whose checksum is wrong, or is not a tar archive'],
    ['something behind a file', 600, 'x', 'has bytes between two entries'],
    ['something behind its end', -1, 'x', 'goes on behind its end'],
  ])('is refused with %s', async (_what, at, character, says) => {
    const bytes = Buffer.concat([await buffer(packTar(files())), Buffer.alloc(512)])
    const place = at < 0 ? bytes.length + at : at
    bytes.write(character, place)
    if (at === 156) sumAnew(bytes)
    await expect(unpacked(bytes)).rejects.toThrow(`the archive ${says}`)
  })
})

/** The sum of a header counts its own field as spaces. */
function sumAnew(bytes: Buffer): void {
  bytes.write(' '.repeat(8), 148)
  const sum = bytes.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}
