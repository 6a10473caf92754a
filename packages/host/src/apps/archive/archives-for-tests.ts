import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a tar archive as a test wants it, right or wrong. */
export interface TarEntry {
  readonly name: string | Buffer
  readonly body?: string | Uint8Array
  /** The type flag: `0` file, `5` folder, `1` hard link, `2` symbolic link … */
  readonly type?: string
  readonly mode?: number
  readonly linkname?: string
  /** A size other than the body's. */
  readonly size?: number
  readonly badChecksum?: boolean
}

const BLOCK = 512

/** The two end blocks of a tar archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** Writes one tar entry byte by byte, without a library that would correct it. */
export function tarEntry({
  name,
  body = '',
  type = '0',
  mode = 0o644,
  linkname = '',
  ...odd
}: TarEntry): Buffer {
  const bytes = Buffer.from(body as Uint8Array)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  Buffer.from(name as Uint8Array).copy(header, 0, 0, 100)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(odd.size ?? bytes.length, 124, 12)
  octal(0, 136, 12)
  header.write('        ', 148, 'latin1')
  header.write(type, 156, 'latin1')
  header.write(linkname, 157, 'utf8')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0) + (odd.badChecksum ? 1 : 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)])
}

/** A tar archive of entries, ended as it should be. */
export const tarOf = (...entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([...entries.map(tarEntry), TAR_END])

/** One pax record. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const length = bytes + String(bytes + String(bytes).length).length
  return `${length}${rest}`
}

/** One entry of a zip archive as a test wants it, right or wrong. */
export interface ZipEntry {
  readonly name: string
  readonly body?: string | Uint8Array
  readonly stored?: boolean
  /** Unix mode with its type bits. */
  readonly mode?: number
  readonly flags?: number
  readonly method?: number
  /** What the local header says in place of the directory. */
  readonly localName?: string
  readonly localSize?: number
  /** Another uncompressed size, in both places. */
  readonly size?: number
  readonly crc?: number
}

/** What is odd about a whole zip archive. */
export interface ZipOddities {
  readonly before?: Uint8Array
  readonly beforeDirectory?: Uint8Array
  readonly comment?: Uint8Array
  readonly entryCount?: number
}

const UTF8_FLAG = 0x800

/** Writes a zip archive byte by byte. */
export function zipOf(entries: readonly ZipEntry[], odd: ZipOddities = {}): Buffer {
  const parts: Buffer[] = [Buffer.from(odd.before ?? '')]
  const directory: Buffer[] = []
  const length = () => parts.reduce((total, part) => total + part.length, 0)
  for (const { name, body = '', stored = false, mode = 0o100644, ...rest } of entries) {
    const bytes = Buffer.from(body as Uint8Array)
    const data = stored ? bytes : deflateRawSync(bytes)
    const size = rest.size ?? bytes.length
    const at = length()
    const fixed = (localName: string, localSize: number) => {
      const shared = Buffer.alloc(26)
      shared.writeUInt16LE(20, 0)
      shared.writeUInt16LE((rest.flags ?? 0) | UTF8_FLAG, 2)
      shared.writeUInt16LE(rest.method ?? (stored ? 0 : 8), 4)
      shared.writeUInt32LE(rest.crc ?? crc32(bytes), 10)
      shared.writeUInt32LE(data.length, 14)
      shared.writeUInt32LE(localSize, 18)
      shared.writeUInt16LE(Buffer.byteLength(localName), 22)
      return shared
    }
    const localName = rest.localName ?? name
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fixed(localName, rest.localSize ?? size))
    parts.push(Buffer.from(localName), data)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(at, 10)
    const made = Buffer.from([20, 3])
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, fixed(name, size), tail, Buffer.from(name))
  }
  parts.push(Buffer.from(odd.beforeDirectory ?? ''))
  const start = length()
  const listed = Buffer.concat(directory)
  parts.push(listed, endRecord(odd.entryCount ?? entries.length, listed.length, start, odd.comment))
  return Buffer.concat(parts)
}

/** The record that ends a zip archive. */
export function endRecord(
  count: number,
  size: number,
  start: number,
  comment: Uint8Array = Buffer.of(),
): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(start, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([end, comment])
}

/** A case that must be refused: which requirement it is about, its bytes, and what is said of it. */
export interface Refused {
  readonly about: 'kinds' | 'paths' | 'names' | 'bounds' | 'broken' | 'headers'
  readonly bytes: () => Buffer
  readonly says: RegExp
  readonly gz?: true
}

/** The rows of a table that are about one requirement, as `it.each` takes them. */
export const about = (
  cases: Readonly<Record<string, Refused>>,
  what: Refused['about'],
): [name: string, refused: Refused][] => Object.entries(cases).filter(([, refused]) => refused.about === what)

/** The manifest that the tests' archives have, as text. */
export const MANIFEST = '{"name":"x"}'
