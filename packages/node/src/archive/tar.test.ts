import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { about, type BadArchive, paxRecord, type TarEntry, tarOf } from '@svc/conformance/testing/archives'
import {
  file,
  folder,
  good,
  manifest,
  pax,
  plainLines,
  refusedLines,
  tar,
  tarCases,
} from '@svc/conformance/testing/tar-cases'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { expect, test } from 'vitest'
import { readArchive } from './read.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/archive.json', import.meta.url), 'utf8'),
) as { readonly tar: readonly string[] }

const read = (bytes: Buffer, gz = false, limits: Limits = defaults) =>
  readArchive(gz ? 'application/gzip' : 'application/x-tar', bytes, limits)

const refuses = async (_name: string, { bytes, says, gz }: BadArchive) => {
  await expect(read(bytes(), gz)).rejects.toMatchObject({
    code: 'invalid_arg',
    message: expect.stringMatching(says),
  })
}

test('every line of the corpus has a case', () => {
  expect([...Object.keys(refusedLines), ...plainLines].sort()).toEqual([...corpus.tar].sort())
})

verifies.each('archive.kinds')(about(tarCases, 'kinds'))('%s is refused', refuses)
verifies.each('archive.paths')(about(tarCases, 'paths'))('%s is refused', refuses)
verifies.each('archive.names')(about(tarCases, 'names'))('%s is refused', refuses)
verifies.each('archive.broken')(about(tarCases, 'broken'))('%s is refused', refuses)

verifies('archive.broken', 'cut at any block it is refused, packed or not', async () => {
  const whole = good()
  for (let end = 0; end < whole.length; end += 512) {
    const cut = whole.subarray(0, end)
    await expect(read(cut)).rejects.toMatchObject({ code: 'invalid_arg' })
    await expect(read(gzipSync(cut), true)).rejects.toMatchObject({ code: 'invalid_arg' })
  }
})

verifies.each('archive.bounds')([
  ['entries', { ARCHIVE_ENTRIES_MAX: 2 }],
  ['bytes', { ARCHIVE_BYTES_MAX: 16 }],
  ['bytes an entry', { ARCHIVE_ENTRY_MAX_BYTES: 12 }],
])('more %s than allowed are refused, as many pass', async (_what, change) => {
  const limits = { ...defaults, ...change }
  await expect(read(tar(file('a', 'abcd')), false, limits)).resolves.toBeDefined()
  const over = tar(file('a', 'abcdefghijklm'), file('b'))
  await expect(read(over, false, limits)).rejects.toMatchObject({ code: 'invalid_arg' })
  await expect(read(gzipSync(over), true, limits)).rejects.toMatchObject({ code: 'invalid_arg' })
})

const git: TarEntry = { name: 'g', type: 'g', body: paxRecord('comment', 'c0ffee') }
const name = `${'n'.repeat(150)}.txt`

const taken: [what: string, bytes: () => Buffer, listed: string][] = [
  ...plainLines.map((line): [string, () => Buffer, string] => [line, () => tar(file(line)), line]),
  ['a GNU long name', () => tar({ name: '././@LongLink', type: 'L', body: `${name}\0` }, file('cut')), name],
  ['a pax path', () => tar(pax(['path', 'ünï.txt'], ['size', '1']), file('uni.txt')), 'ünï.txt'],
  ["git's global comment", () => tarOf(git, manifest, file('a.txt')), 'a.txt'],
  [
    'names under ./',
    () => tarOf(folder('./'), { ...manifest, name: './manifest.json' }, file('./a.txt')),
    'a.txt',
  ],
]

test.each(taken)('%s is taken', async (_what, bytes, listed) => {
  expect([...(await read(bytes())).files.keys()].sort()).toEqual(['manifest.json', listed].sort())
})
