import { gzipSync } from 'node:zlib'
import {
  type BadArchive,
  MANIFEST,
  paxRecord,
  type TarEntry,
  tarEntry,
  tarOf,
} from '@svc/conformance/testing/archives'

/** The entry that the archives of the tests begin with. */
export const manifest: TarEntry = { name: 'manifest.json', body: MANIFEST }
/** A tar archive of the manifest and these entries. */
export const tar = (...entries: readonly TarEntry[]) => tarOf(manifest, ...entries)
/** A plain file. */
export const file = (name: string | Buffer, body = 'x'): TarEntry => ({ name, body })
/** A folder. */
export const folder = (name: string): TarEntry => ({ name, type: '5' })
/** An extended header about the entry behind it. */
export const pax = (...records: readonly (readonly [string, string])[]): TarEntry => ({
  name: 'PaxHeader',
  type: 'x',
  body: records.map(([key, value]) => paxRecord(key, value)).join(''),
})
/** An archive that is taken. */
export const good = () => tar(file('index.html', 'hello'))
const kind = (bytes: () => Buffer): BadArchive => ({
  about: 'kinds',
  bytes,
  says: /not a plain file or folder/,
})
const path = (name: string | Buffer, says: RegExp): BadArchive => ({
  about: 'paths',
  bytes: () => tar(file(name)),
  says,
})

/** Lines of the corpus that must be refused. */
export const refusedLines: Readonly<Record<string, BadArchive>> = {
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
    says: /is in it twice/,
  },
  'dir then same path as file': {
    about: 'names',
    bytes: () => tar(folder('a/'), file('a')),
    says: /is in it twice/,
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
export const plainLines = ['.git/hooks/post-checkout', 'node_modules/.bin/node']

const more: Readonly<Record<string, BadArchive>> = {
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

/** Every tar archive that must be refused. */
export const tarCases: Readonly<Record<string, BadArchive>> = { ...refusedLines, ...more }
