import { readFileSync } from 'node:fs'
import { about, type BadArchive, zipOf } from '@svc/conformance/testing/archives'
import { first, inner, refusedLines, zipCases } from '@svc/conformance/testing/zip-cases'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { expect, test } from 'vitest'
import { readArchive } from './read.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/archive.json', import.meta.url), 'utf8'),
) as { readonly zip: readonly string[] }

const read = (bytes: Buffer) => readArchive('application/zip', bytes, limits)

const refuses = async (_name: string, { bytes, says }: BadArchive) => {
  await expect(read(bytes())).rejects.toMatchObject({
    code: 'invalid_arg',
    message: expect.stringMatching(says),
  })
}

test('every line of the corpus has a case', () => {
  expect([...Object.keys(refusedLines), 'nested zip quine'].sort()).toEqual([...corpus.zip].sort())
})

verifies.each('archive.kinds')(about(zipCases, 'kinds'))('%s is refused', refuses)
verifies.each('archive.paths')(about(zipCases, 'paths'))('%s is refused', refuses)
verifies.each('archive.names')(about(zipCases, 'names'))('%s is refused', refuses)
verifies.each('archive.bounds')(about(zipCases, 'bounds'))('%s is refused', refuses)
verifies.each('archive.broken')(about(zipCases, 'broken'))('%s is refused', refuses)
verifies.each('archive.zip.headers')(about(zipCases, 'headers'))('%s is refused', refuses)

verifies('archive.broken', 'cut anywhere it is refused', async () => {
  const whole = inner()
  for (let end = 0; end < whole.length; end += 1)
    await expect(read(whole.subarray(0, end))).rejects.toMatchObject({ code: 'invalid_arg' })
})

test('packed and stored files, folders and a comment are taken; a zip inside is a file like any other', async () => {
  const bytes = zipOf(
    [
      first,
      { name: 'assets/', mode: 0o040755, stored: true },
      { name: 'assets/a.js', body: 'export {}', stored: true },
      { name: 'inner.zip', body: inner() },
      { name: 'no-modes.txt', body: 'x', mode: 0 },
    ],
    { comment: Buffer.from('made by a tool') },
  )
  const { files } = await read(bytes)
  expect([...files.keys()]).toEqual(['manifest.json', 'assets/a.js', 'inner.zip', 'no-modes.txt'])
  expect(Buffer.from(files.get('assets/a.js') ?? '').toString()).toBe('export {}')
  expect(Buffer.from(files.get('inner.zip') ?? '')).toEqual(inner())
})
