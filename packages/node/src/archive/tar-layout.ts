/** Everything in a tar archive begins at a multiple of this many bytes. */
export const BLOCK = 512
/** A longer path is spread over two fields by some, and not by others. */
export const PATH_BYTES = 99

/** The zeros that follow `size` bytes, up to the next block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** Whether a path needs an extended header. */
export const isLong = (path: string) => Buffer.byteLength(path) > PATH_BYTES

/** How many bytes the headers of a file take, those of a long path included. */
export function headersLengthOf(path: string): number {
  if (!isLong(path)) return BLOCK
  const { length } = pathRecord(path)
  return 2 * BLOCK + length + paddingOf(length)
}

/** The record of a path: it begins with its own length, the digits of that included. */
export function pathRecord(path: string): Buffer {
  const rest = ` path=${path}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (bytes + String(length).length > length) length += 1
  return Buffer.from(length + rest)
}
