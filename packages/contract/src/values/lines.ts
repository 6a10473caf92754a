/** A line that went over the cap: the bytes seen of it when it did, so at least the cap and one. */
export interface TooLong {
  readonly tooLong: number
}

/** What comes out of the splitter: a line's bytes without the line feed, or what is known of one that was dropped. */
export type Line = Uint8Array | TooLong

/** Takes lines that are longer than a chunk as they come; see `lineSplitter`. */
export interface LongLines {
  /** The length that is kept of a line. */
  readonly keepBytes: number
  /** The next piece of a line, up to that length. */
  readonly onPiece: (piece: Uint8Array) => void
  /** The line has ended after `bytes`: these are its pieces, up to the length that is kept. */
  readonly onEnd: (pieces: readonly Uint8Array[], bytes: number) => unknown
}

const LF = 0x0a
/** How programs of Windows begin UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const
const EMPTY = new Uint8Array(0)
/** As many small pieces of one line are put together: each costs hundreds of bytes beside what it holds. */
const GATHER_PIECES = 1_024
const SMALL_PIECE_BYTES = 1_024

/**
 * Splits a stream of bytes into lines at byte 0x0A only.
 *
 * A line inside one chunk is a view of that chunk; one that spans chunks is copied once, when it is
 * whole, and once before that where it comes in crumbs. Past `maxBytes` the bytes are counted and dropped until
 * the line ends, and the reader is told at once, so that a line without end holds no memory. With `long` a line that
 * is not inside one chunk, or longer than what is kept, is given in pieces, which are not put together. `end()` gives what
 * came after the last line feed. A byte order mark at the beginning of a line is left out.
 *
 * A reader that answers `false` has had enough for now: `push` stops behind that line.
 */
export function lineSplitter(maxBytes: number, onLine: (line: Line) => unknown, long?: LongLines) {
  const keepBytes = Math.min(long?.keepBytes ?? maxBytes, maxBytes)
  let parts: Uint8Array[] = []
  let crumbs = 0
  let held = 0
  let dropping = false

  const drop = () => {
    parts = []
    crumbs = 0
    const goOn = dropping || onLine({ tooLong: held })
    dropping = true
    return goOn
  }
  const keep = (piece: Uint8Array) => {
    parts.push(piece)
    long?.onPiece(piece)
    crumbs = piece.length < SMALL_PIECE_BYTES ? crumbs + 1 : 0
    if (crumbs < GATHER_PIECES) return
    parts.push(joinBytes(parts.splice(-crumbs)))
    crumbs = 0
  }
  const take = (piece: Uint8Array) => {
    const room = keepBytes - held
    held += piece.length
    if (held > maxBytes) return drop()
    if (room > 0 && piece.length > 0) keep(piece.length > room ? piece.subarray(0, room) : piece)
    return true
  }
  const finish = () => {
    const line = parts
    const bytes = held
    const dropped = dropping
    parts = []
    crumbs = 0
    held = 0
    dropping = false
    if (dropped) return true
    if (long) return long.onEnd(line, bytes)
    return onLine(line.length > 1 ? joinBytes(line) : (line[0] ?? EMPTY))
  }

  return {
    /**
     * Takes the next chunk, from `at` on, and gives where it stopped: at its end unless the reader had enough. The
     * splitter keeps views of it: do not write to it afterwards.
     */
    push(chunk: Uint8Array, at = 0): number {
      let from = at
      for (let to = chunk.indexOf(LF, from); to !== -1; to = chunk.indexOf(LF, from)) {
        if (chunk[from] === MARK[0] && held === 0) from = behindMark(chunk, from)
        const piece = chunk.subarray(from, to)
        from = to + 1
        if (held === 0 && piece.length <= keepBytes) {
          if (onLine(piece) === false) return from
          continue
        }
        const taken = take(piece)
        if (finish() === false || taken === false) return from
      }
      if (chunk[from] === MARK[0] && held === 0) from = behindMark(chunk, from)
      if (from < chunk.length) take(chunk.subarray(from))
      return chunk.length
    },
    /** The stream has ended: a last line without a line feed comes out. */
    end(): void {
      if (held > 0) finish()
    },
    /** What has come of a line that is not whole yet: a copy. */
    held: () => joinBytes(parts),
    /** How many bytes that are. */
    get heldBytes(): number {
      return dropping ? 0 : held
    },
  }
}

const behindMark = (chunk: Uint8Array, at: number) =>
  chunk[at + 1] === MARK[1] && chunk[at + 2] === MARK[2] ? at + MARK.length : at

/** Several pieces of bytes as one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
