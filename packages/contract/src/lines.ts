/** A line that went over the cap: the bytes seen of it when it did, so at least the cap and one. */
export interface TooLong {
  readonly tooLong: number
}

/** What comes out of the splitter: a line's bytes without the line feed, or what is known of one that was dropped. */
export type Line = Uint8Array | TooLong

const LF = 0x0a

/**
 * Splits a stream of bytes into lines at byte 0x0A only (decision 20).
 *
 * A line inside one chunk is a view of that chunk; one that spans chunks is copied once, when it is
 * whole. Past `maxBytes` the bytes are counted and dropped until the line ends, and the reader is told
 * at once, so that a line without end holds no memory. `end()` gives what came after the last line feed.
 */
export function lineSplitter(maxBytes: number, onLine: (line: Line) => void) {
  let parts: Uint8Array[] = []
  let held = 0
  let dropping = false

  const drop = () => {
    parts = []
    if (!dropping) onLine({ tooLong: held })
    dropping = true
  }
  const take = (piece: Uint8Array) => {
    held += piece.length
    if (held > maxBytes) drop()
    else if (piece.length > 0) parts.push(piece)
  }
  const finish = () => {
    if (!dropping) onLine(parts.length === 1 && parts[0] ? parts[0] : join(parts, held))
    parts = []
    held = 0
    dropping = false
  }

  return {
    /** Takes the next chunk. The splitter keeps views of it: do not write to it afterwards. */
    push(chunk: Uint8Array): void {
      let from = 0
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        take(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
    },
    /** The stream has ended: a last line without a line feed comes out. */
    end(): void {
      if (held > 0) finish()
    },
    /** Bytes held of a line that is not whole yet. */
    get heldBytes(): number {
      return dropping ? 0 : held
    },
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
