import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import {
  about,
  MANIFEST,
  paxRecord,
  type Refused,
  type TarEntry,
  tarEntry,
  tarOf,
} from '@svc/conformance/fixtures/archives'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { expect, test } from 'vitest'
import { readArchive } from './read.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/archive.json', import.meta.url), 'utf8'),
) as { readonly tar: readonly string[] }

const manifest: TarEntry = { name: 'manifest.json', body: MANIFEST }
const tar = (...entries: readonly TarEntry[]) => tarOf(manifest, ...entries)
const file = (name: string | Buffer, body = 'x'): TarEntry => ({ name, body })
const folder = (name: string): TarEntry => ({ name, type: '5' })
const pax = (...records: readonly (readonly [string, string])[]): TarEntry => ({
  name: 'PaxHeader',
  type: 'x',
  body: records.map(([key, value]) => paxRecord(key, value)).join(''),
})
const good = () => tar(file('index.html', 'hello'))
const read = (bytes: Buffer, gz = false, limits: Limits = defaults) =>
  readArchive(gz ? 'application/gzip' : 'application/x-tar', bytes, limits)

const kind = (bytes: () => Buffer): Refused => ({ about: 'kinds', bytes, says: /no plain file or folder/ })
const path = (name: string | Buffer, says: RegExp): Refused => ({
  about: 'paths',
  bytes: () => tar(file(name)),
  says,
})

/** Lines of the corpus that must be refused. */
const refusedLines: Readonly<Record<string, Refused>> = {
  '../out.txt': path('../out.txt', /an empty part, "\." or "\.\."/),
  'a/../../out.txt': path('a/../../out.txt', /an empty part, "\." or "\.\."/),
  'C:\\\\win.txt': path('C:\\win.txt', /backslash/),
  '..\\\\win.txt': path('..\\win.txt', /backslash/),
  '\\\\\\\\server\\\\share': path('\\\\server\\share', /backslash/),
  'symlink l -> .. then file l/out.txt': kind(() =>
    tar({ name: 'l', type: '2', linkname: '..' }, file('l/out.txt')),
  ),
  'symlink -> ../../etc/passwd': kind(() => tar({ name: 'l', type: '2', linkname: '../../etc/passwd' })),
  'hardlink abs -> /etc/hostname': kind(() => tar({ name: 'h', type: '1', linkname: '/etc/hostname' })),
  'hardlink to an in-archive symlink': kind(() => tar({ name: 'h', type: '1', linkname: 'manifest.json' })),
  chardev: kind(() => tar({ name: 'c', type: '3' })),
  fifo: kind(() => tar({ name: 'f', type: '6' })),
  socket: kind(() => tar({ name: 's', type: 's' })),
  'file then same path as dir': {
    about: 'names',
    bytes: () => tar(file('a'), folder('a/')),
    says: /stands twice/,
  },
  'dir then same path as file': {
    about: 'names',
    bytes: () => tar(folder('a/'), file('a')),
    says: /stands twice/,
  },
  'name with NUL (ok\\u0000.txt)': path(Buffer.from('ok\0.txt'), /a name with a NUL/),
  'name with newline / control / RTL override': path('a\u202eb', /a control character/),
  'empty name': path('', /must not be empty/),
  'name "."': path('.', /an empty part, "\." or "\.\."/),
  '1,000 nested dirs (maxDepth)': {
    about: 'names',
    bytes: () => tar(pax(['path', Array(1_000).fill('d').join('/')]), file('d')),
    says: /must have at most 255 bytes/,
  },
  '100,001 empty entries': {
    about: 'bounds',
    bytes: () => tar(...Array.from({ length: 10_001 }, (_, at) => ({ name: `f${at}` }))),
    says: /at most 10000 entries/,
  },
  'size larger than the file': {
    about: 'broken',
    bytes: () => tar({ ...file('a'), size: 5_000 }),
    says: /ends in the middle of an entry/,
  },
  'bad checksum': {
    about: 'broken',
    bytes: () => tar({ ...file('a'), badChecksum: true }),
    says: /checksum is wrong/,
  },
  'PAX size mismatch': {
    about: 'broken',
    bytes: () => tar(pax(['size', '3']), file('a')),
    says: /gives two sizes/,
  },
  'GNU longname 1 MB': {
    about: 'names',
    bytes: () => tar({ name: 'L', type: 'L', body: 'a'.repeat(1_048_576) }, file('a')),
    says: /extended header that is too long/,
  },
  'gzip ratio 1028:1 (64 MiB zeros = 65 KB)': {
    about: 'bounds',
    bytes: () => gzipSync(tar({ name: 'zeros', body: Buffer.alloc(67_108_864) }), { level: 1 }),
    says: /unpacks to more than \d+ bytes/,
    gz: true,
  },
  'concatenated gzip members': {
    about: 'broken',
    bytes: () => Buffer.concat([gzipSync(good()), gzipSync(good())]),
    says: /goes on behind its end/,
    gz: true,
  },
  'truncated at every 512-byte boundary': {
    about: 'broken',
    bytes: () => good().subarray(0, -512),
    says: /ends before its end blocks/,
  },
  'tar with only end blocks': { about: 'broken', bytes: () => tarOf(), says: /has no files/ },
}

/** Lines of the corpus that are plain files of a bundle: served, never run. */
const plainLines = ['.git/hooks/post-checkout', 'node_modules/.bin/node']

const more: Readonly<Record<string, Refused>> = {
  'an absolute path': path('/etc/passwd', /must be relative/),
  'a drive letter': path('C:win.txt', /drive letter/),
  'a line break in a pax path': {
    about: 'paths',
    bytes: () => tar(pax(['path', 'a\nb']), file('a')),
    says: /a control character/,
  },
  'a NUL in a pax path': {
    about: 'paths',
    bytes: () => tar(pax(['path', 'a\0b']), file('a')),
    says: /a control character/,
  },
  'two names that differ in case': {
    about: 'names',
    bytes: () => tar(file('README'), file('readme')),
    says: /twice/,
  },
  'two names that differ in accents': {
    about: 'names',
    bytes: () => tar(file('caf\u00e9'), file('cafe\u0301')),
    says: /twice/,
  },
  '33 levels': {
    about: 'names',
    bytes: () => tar(file(Array(33).fill('d').join('/'))),
    says: /at most 32 levels deep/,
  },
  'a file that is a folder too': {
    about: 'names',
    bytes: () => tar(file('a'), file('a/b')),
    says: /a file and a folder/,
  },
  'a folder that is a file too': {
    about: 'names',
    bytes: () => tar(file('a/b'), file('A')),
    says: /a file and a folder/,
  },
  'a set-uid file': { about: 'kinds', bytes: () => tar({ ...file('a'), mode: 0o4755 }), says: /set-uid/ },
  'a set-gid folder': {
    about: 'kinds',
    bytes: () => tar({ ...folder('a/'), mode: 0o2755 }),
    says: /set-uid/,
  },
  'a sparse file': kind(() => tar(pax(['GNU.sparse.major', '1']), file('a'))),
  'a pax record with a wrong length': {
    about: 'broken',
    bytes: () => tar({ name: 'x', type: 'x', body: '99 path=a\n' }, file('a')),
    says: /extended header that cannot be read/,
  },
  'a path for all entries': {
    about: 'broken',
    bytes: () => tar({ name: 'g', type: 'g', body: paxRecord('path', 'z') }, file('a')),
    says: /names all of its entries in one header/,
  },
  'something behind the end': {
    about: 'broken',
    bytes: () => Buffer.concat([good(), tarEntry(file('b'))]),
    says: /goes on behind its end/,
  },
  'gzip under the type of tar': { about: 'broken', bytes: () => gzipSync(good()), says: /archive/ },
  'tar under the type of gzip': { about: 'broken', bytes: good, says: /is not gzip/, gz: true },
  'half of a gzip': {
    about: 'broken',
    bytes: () => gzipSync(good()).subarray(0, 80),
    says: /is not gzip/,
    gz: true,
  },
  'no archive': { about: 'broken', bytes: () => Buffer.from('hello'), says: /ends before its end blocks/ },
  nothing: { about: 'broken', bytes: () => Buffer.of(), says: /ends before its end blocks/ },
}

const cases = { ...refusedLines, ...more }
const refuses = async (_name: string, { bytes, says, gz }: Refused) => {
  await expect(read(bytes(), gz)).rejects.toMatchObject({
    code: 'invalid_arg',
    message: expect.stringMatching(says),
  })
}

test('every line of the corpus has a case', () => {
  expect([...Object.keys(refusedLines), ...plainLines].sort()).toEqual([...corpus.tar].sort())
})

verifies.each('archive.kinds')(about(cases, 'kinds'))('%s is refused', refuses)
verifies.each('archive.paths')(about(cases, 'paths'))('%s is refused', refuses)
verifies.each('archive.names')(about(cases, 'names'))('%s is refused', refuses)
verifies.each('archive.bounds')(about(cases, 'bounds'))('%s is refused', refuses)
verifies.each('archive.broken')(about(cases, 'broken'))('%s is refused', refuses)

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
  expect([...(await read(bytes())).keys()].sort()).toEqual(['manifest.json', listed].sort())
})
