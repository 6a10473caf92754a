import { Header } from 'tar'
import { badArchive } from './judge.ts'
import { isZero } from './turns.ts'

/** Everything in a tar archive begins at a multiple of this many bytes. */
export const BLOCK = 512
const NAME_FIELD = 100
/** A longer path is spread over two fields by some, and not by others. */
const PATH_BYTES = 99
const OWNER_ONLY = 0o600

/** The zeros that follow `size` bytes, up to the next block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

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
  if (Buffer.byteLength(path) > PATH_BYTES)
    throw new RangeError(`the path ${path} must have at most ${PATH_BYTES} bytes`)
  const header = new Header({
    path,
    mode: OWNER_ONLY,
    uid: 0,
    gid: 0,
    size,
    mtime: new Date(0),
    type: 'File',
  })
  header.encode()
  return header.block as Buffer
}
