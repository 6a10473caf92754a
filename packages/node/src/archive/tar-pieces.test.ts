import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { limits } from '@svc/contract/limits'
import { extract } from 'tar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readArchive } from './read.ts'
import { type SlicedFile, tarPieces } from './tar-pieces.ts'

const ascii = 'a'.repeat(99)
/** Names with and without room in a header, around where the length of a record gets another digit. */
const names = [
  'one.txt',
  'folder/empty',
  'Ünïcödé/日本語.png',
  ascii,
  `${ascii}b`,
  `folder/${ascii}`,
  ...[85, 86, 87, 88].map((more) => `${'d/'.repeat(5)}${'e'.repeat(more)}`),
  `${'日'.repeat(60)}/${'f'.repeat(60)}`,
]
const contents = new Map(names.map((name, at) => [name, name === 'folder/empty' ? '' : 'x'.repeat(at * 300)]))

const sliced = (name: string, bytes: Buffer): SlicedFile => ({
  path: name,
  size: bytes.length,
  slice: async (from, to) => bytes.subarray(from, to),
})
const made = (count = contents.size) =>
  tarPieces([...contents].slice(0, count).map(([name, text]) => sliced(name, Buffer.from(text))))

async function whole({ size, slice }: ReturnType<typeof tarPieces>, step = size): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (let at = 0; at < size; at += step) {
    const part = await slice(at, Math.min(size, at + step))
    const length = Math.min(step, size - at)
    if (part?.length !== length) expect(part).toHaveLength(length)
    if (part) parts.push(part)
  }
  return Buffer.concat(parts)
}

describe('a tar archive that is read in parts', () => {
  it('has the files, with paths of any length', async () => {
    const { files } = await readArchive('application/x-tar', await whole(made()), limits)
    expect([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([...contents])
  })

  it('is what tar unpacks', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'svc-tar-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    writeFileSync(path.join(dir, 'made.tar'), await whole(made()))
    await extract({ cwd: dir, file: path.join(dir, 'made.tar'), strict: true })
    for (const [name, text] of contents) expect(readFileSync(path.join(dir, name), 'utf8')).toBe(text)
  })

  it.each([
    [1, 2],
    [7, 6],
    [511, names.length],
    [512, names.length],
    [513, names.length],
    [4_096, names.length],
  ])('is the same in parts of %d bytes, of %d files', async (step, count) => {
    const bytes = await whole(made(count))
    expect((await whole(made(count), step)).equals(bytes)).toBe(true)
  })

  it('without files is two empty blocks', async () => {
    expect(await whole(tarPieces([]))).toEqual(Buffer.alloc(1_024))
  })

  it.each([
    ['gone', async () => null],
    ['shorter than they were', async () => Buffer.from('x')],
  ])('has no part with bytes that are %s, and every other part', async (_what, slice) => {
    const archive = tarPieces([
      sliced('there', Buffer.from('here')),
      { path: 'lost', size: 4, slice },
      sliced('more', Buffer.from('here')),
    ])
    expect(await archive.slice(0, 1_536)).toHaveLength(1_536)
    expect(await archive.slice(1_536, 1_538)).toBeNull()
    expect(await archive.slice(0, archive.size)).toBeNull()
    expect(await archive.slice(2_048, archive.size)).toHaveLength(archive.size - 2_048)
  })
})
