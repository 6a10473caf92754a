import { BLOCK, headersLengthOf, paddingOf } from './tar-layout.ts'

/** A file whose bytes are read part by part. */
export interface SlicedFile {
  readonly path: string
  readonly size: number
  /** The bytes from `from` up to `to`; `null`: they have gone. */
  slice(from: number, to: number): Promise<Uint8Array | null>
}

/** A tar archive of which any part can be read. */
export interface TarPieces {
  readonly size: number
  /** The bytes from `from` up to `to`; `null`: those of a file have gone. */
  slice(from: number, to: number): Promise<Uint8Array | null>
}

/** Lays files out as a tar archive. Nothing is read before a part of it is. It has no times and no owners. */
export function tarPieces(files: readonly SlicedFile[]): TarPieces {
  let end = 0
  const entries = files.map((file) => {
    const start = end
    end += headersLengthOf(file.path) + file.size + paddingOf(file.size)
    return { file, start, end }
  })

  /** The place of the entry that has the byte `at`; behind the last one where none has. */
  function placeOf(at: number): number {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((entries[middle]?.end ?? 0) > at) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    size: end + 2 * BLOCK,
    async slice(from, to) {
      const parts: Uint8Array[] = []
      let at = from
      for (let place = placeOf(from); at < to; place += 1) {
        const entry = entries[place]
        const last = entry ? Math.min(to, entry.end) : to
        const part = entry
          ? await entrySlice(entry.file, at - entry.start, last - entry.start)
          : new Uint8Array(to - at)
        if (!part) return null
        parts.push(part)
        at = last
      }
      return Buffer.concat(parts)
    },
  }
}

/** A part of an entry: its headers, its bytes, and zeros up to the next block. */
async function entrySlice(file: SlicedFile, from: number, to: number): Promise<Uint8Array | null> {
  const { path, size } = file
  const head = headersLengthOf(path)
  const part = new Uint8Array(to - from)
  if (from < head) {
    const { headersOf } = await import('./tar-header.ts')
    part.set(headersOf(path, size).subarray(from, to))
  }
  const first = Math.max(0, from - head)
  const last = Math.min(size, to - head)
  if (first >= last) return part
  const bytes = await file.slice(first, last)
  if (bytes?.length !== last - first) return null
  part.set(bytes, first + head - from)
  return part
}
