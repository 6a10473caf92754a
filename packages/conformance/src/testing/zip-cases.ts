import {
  type BadArchive,
  endRecord,
  MANIFEST,
  tarOf,
  type ZipEntry,
  zipOf,
} from '@svc/conformance/testing/archives'

/** The entry that the archives of the tests begin with. */
export const first: ZipEntry = { name: 'manifest.json', body: MANIFEST }
/** A zip archive of the manifest and these entries. */
export const zip = (...entries: readonly ZipEntry[]) => zipOf([first, ...entries])
/** An archive that is taken. */
export const inner = () => zip({ name: 'a', body: 'a' })
/** Lines of the corpus that must be refused. */
export const refusedLines: Readonly<Record<string, BadArchive>> = {
  '../out.txt': { about: 'paths', bytes: () => zip({ name: '../out.txt' }), says: /invalid relative path/ },
  absolute: { about: 'paths', bytes: () => zip({ name: '/etc/passwd' }), says: /absolute path/ },
  'symlink mode 0120777': {
    about: 'kinds',
    bytes: () => zip({ name: 'l', body: '..', mode: 0o120777 }),
    says: /not a plain file or folder/,
  },
  'local header name != central name': {
    about: 'headers',
    bytes: () => zip({ name: 'a', localName: 'b' }),
    says: /says two things/,
  },
  'zip64 wrong sizes': {
    about: 'headers',
    bytes: () => zip({ name: 'a', body: 'a', size: 0xffffffff }),
    says: /at most 67108864 bytes/,
  },
  'encrypted flag': {
    about: 'kinds',
    bytes: () => zip({ name: 'a', body: 'a', flags: 1 }),
    says: /encrypted/,
  },
  'unknown compression method': {
    about: 'broken',
    bytes: () => zip({ name: 'a', body: 'a', method: 12 }),
    says: /packed by method 12/,
  },
  'comment containing EOCD': {
    about: 'headers',
    bytes: () => zipOf([first], { comment: endRecord(0, 0, 0) }),
    says: /between its directory and its end/,
  },
  'two EOCD records': {
    about: 'headers',
    bytes: () => Buffer.concat([inner(), endRecord(0, 0, 0)]),
    says: /between its directory and its end/,
  },
}

/** A comment that holds a whole directory of its own, for the data of the archive around it. */
const forged = () => {
  const own = zipOf([first])
  const data = own.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  const directory = own.subarray(data, own.length - 22)
  const start = own.length
  const comment = Buffer.concat([directory, endRecord(1, directory.length, start)])
  return zipOf([first], { comment })
}

const more: Readonly<Record<string, BadArchive>> = {
  'a backslash': { about: 'paths', bytes: () => zip({ name: 'a\\b' }), says: /invalid characters/ },
  'a control character': { about: 'paths', bytes: () => zip({ name: 'a\u0007' }), says: /control character/ },
  'a device': { about: 'kinds', bytes: () => zip({ name: 'd', mode: 0o020644 }), says: /not a plain file/ },
  'a set-uid file': {
    about: 'kinds',
    bytes: () => zip({ name: 'a', body: 'a', mode: 0o104755 }),
    says: /set-uid/,
  },
  'a folder by mode that is named as a file': {
    about: 'kinds',
    bytes: () => zip({ name: 'a', mode: 0o040755 }),
    says: /not a plain file/,
  },
  'two names that differ in case': {
    about: 'names',
    bytes: () => zip({ name: 'A' }, { name: 'a' }),
    says: /twice/,
  },
  'another size in the local header': {
    about: 'headers',
    bytes: () => zip({ name: 'a', body: 'abc', localSize: 4 }),
    says: /says two things/,
  },
  'more bytes than both headers say': {
    about: 'broken',
    bytes: () => zip({ name: 'a', body: 'abc', size: 2 }),
    says: /damaged entry/,
  },
  'far more bytes than both headers say': {
    about: 'broken',
    bytes: () => zip({ name: 'a', body: 'abc'.repeat(99), size: 2 }),
    says: /damaged entry/,
  },
  'fewer bytes than both headers say': {
    about: 'broken',
    bytes: () => zip({ name: 'a', body: 'abc', size: 4 }),
    says: /damaged entry/,
  },
  'a wrong checksum': {
    about: 'broken',
    bytes: () => zip({ name: 'a', body: 'abc', crc: 1 }),
    says: /damaged entry/,
  },
  'something before the first entry': {
    about: 'headers',
    bytes: () => zipOf([first], { before: Buffer.from('#!') }),
    says: /overlap or leave gaps/,
  },
  'something before the directory': {
    about: 'headers',
    bytes: () => zipOf([first], { beforeDirectory: Buffer.from('hidden') }),
    says: /overlap or leave gaps/,
  },
  'a count that is too low': {
    about: 'headers',
    bytes: () => zipOf([first, { name: 'a' }], { entryCount: 1 }),
    says: /overlap or leave gaps/,
  },
  'a count that is too high': {
    about: 'headers',
    bytes: () => zipOf([first], { entryCount: 2 }),
    says: /cannot be read as zip/,
  },
  'a second directory in the comment': { about: 'headers', bytes: forged, says: /overlap or leave gaps/ },
  'a bomb': {
    about: 'bounds',
    bytes: () => zip({ name: 'zeros', body: Buffer.alloc(4_194_304) }),
    says: /more than 100 times its size/,
  },
  'too many entries': {
    about: 'bounds',
    bytes: () => zipOf([first], { entryCount: 10_001 }),
    says: /10001 entries; at most 10000/,
  },
  'a tar archive': { about: 'broken', bytes: () => tarOf({ name: 'a' }), says: /cannot be read as zip/ },
  nothing: { about: 'broken', bytes: () => Buffer.of(), says: /cannot be read as zip/ },
}

/** Every zip archive that must be refused. */
export const zipCases: Readonly<Record<string, BadArchive>> = { ...refusedLines, ...more }
