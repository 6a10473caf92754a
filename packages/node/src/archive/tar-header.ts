import { Header } from 'tar'
import { badArchive } from './judge.ts'
import { BLOCK, isLong, PATH_BYTES, paddingOf, pathRecord } from './tar-layout.ts'
import { isZero } from './turns.ts'

const NAME_FIELD = 100
const OWNER_ONLY = 0o600

/** Reads the header in the block at `at`. Throws `invalid_arg` for one that is damaged. */
export function headerAt(bytes: Buffer, at: number): Header {
  if (bytes.length < at + BLOCK) throw badArchive('ends before its end blocks')
  let header: Header
  try {
    header = new Header(bytes, at)
  } catch {
    throw badArchive('has a header that cannot be read')
  }
  if (header.nullBlock) return header
  if (!header.cksumValid) throw badArchive('has a header whose checksum is wrong, or is not a tar archive')
  const field = bytes.subarray(at, at + NAME_FIELD)
  const end = field.indexOf(0)
  if (end !== -1 && !isZero(field.subarray(end))) throw badArchive('has a name with a NUL in it')
  return header
}

/** Writes the header of a plain file, without times and owner. Throws `RangeError` for a path that has no room in it. */
export function headerOf(path: string, size: number): Uint8Array {
  if (isLong(path)) throw new RangeError(`the path ${path} must have at most ${PATH_BYTES} bytes`)
  return encodedHeader(path, size, 'File')
}

/** What readers that know no extended headers call a file whose path is in one. */
const LONG_PATH = 'long-path'

/** Writes the headers of a plain file with a path of any length: a long one is in an extended header before its own. */
export function headersOf(path: string, size: number): Uint8Array {
  if (!isLong(path)) return headerOf(path, size)
  const record = pathRecord(path)
  return Buffer.concat([
    encodedHeader(LONG_PATH, record.length, 'ExtendedHeader'),
    record,
    new Uint8Array(paddingOf(record.length)),
    encodedHeader(LONG_PATH, size, 'File'),
  ])
}

function encodedHeader(path: string, size: number, type: 'File' | 'ExtendedHeader'): Buffer {
  const header = new Header({ path, mode: OWNER_ONLY, uid: 0, gid: 0, size, mtime: new Date(0), type })
  header.encode()
  return header.block as Buffer
}
