/** A file that is mapped and has no name any more. */
interface MappedFile {
  /** One of its places, as `/proc/<pid>/map_files` names it. */
  readonly range: string
  /** How far it is mapped. */
  readonly bytes: number
}

/** A line of `maps` whose file has no name any more; memory that processes share has none either, and is counted as such. */
const UNLINKED = /^([\da-f]+)-([\da-f]+) \S+ ([\da-f]+) \S+ (\d+) +(?!\/dev\/zero|\/SYSV)\S.* \(deleted\)$/gm

/**
 * Returns the mapped files without a name in the text of `/proc/<pid>/maps`, by their inodes. A process may map one file in
 * 65,000 places, and each look at a file holds up all others.
 */
export function unlinkedIn(maps: string): ReadonlyMap<string, MappedFile> {
  const files = new Map<string, MappedFile>()
  if (!maps.includes('(deleted)')) return files
  for (const [, from = '', to = '', offset = '', inode = ''] of maps.matchAll(UNLINKED)) {
    const bytes = hex(offset) + hex(to) - hex(from)
    if (bytes > (files.get(inode)?.bytes ?? 0)) files.set(inode, { range: `${from}-${to}`, bytes })
  }
  return files
}

/** Some hundred lines, which are read in a millisecond. */
const PART_CHARS = 32_768

/** Returns the same text in parts of whole lines, none of which takes long to read. */
export function* partsOf(maps: string): Iterable<string> {
  for (let at = 0, end = 0; at < maps.length; at = end) {
    end = maps.indexOf('\n', at + PART_CHARS) + 1 || maps.length
    yield maps.slice(at, end)
  }
}

/** Reads a number in hexadecimal digits. */
export const hex = (digits: string): number => Number.parseInt(digits, 16)
