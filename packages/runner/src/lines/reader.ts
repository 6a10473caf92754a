import type { Readable } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import { type Line, type LongLines, lineSplitter } from '@svc/contract/lines'

/** The lines of one stream of a plugin. */
export interface Reader {
  /**
   * Reads nothing for so many `NOISE_REST_MS` from the next line on, so that a flood costs the plugin and not the runner. A
   * chunk may hold thousands of lines: what is left of it waits too.
   */
  rest(times?: number): void
  /** Whether a line has begun that has not ended. */
  midLine(): boolean
  /** Throws away what is left and what still comes. */
  ignore(): void
  /**
   * The process is gone: from now on a rest is one turn of the event loop, so that others have theirs in between. Calls
   * `onOver` when the stream has ended and nothing of it is left.
   */
  drain(onOver: () => void): void
  /**
   * Takes what has come so far, a turn of the event loop a rest, and the last line where it has no end; then calls
   * `onOver`. What comes later is not read.
   */
  end(onOver: () => void): void
}

/** Bytes of a long line that are looked at before others have their turn: many chunks may come in one. */
const TURN_BYTES = 131_072

/** Reads a stream line by line. */
export function readLines(
  stream: Readable,
  limits: Limits,
  {
    maxBytes,
    onLine,
    long,
  }: {
    readonly maxBytes: number
    readonly onLine: (line: Line) => void
    readonly long?: LongLines | undefined
  },
): Reader {
  /** Ends the rest that is under way. */
  let stir: (() => void) | undefined
  let left: Buffer | undefined
  /** What follows `left` once nothing more is read. */
  const tail: Buffer[] = []
  /** What a rest is: a while, a turn of the event loop, or nothing. */
  let pace: 'while' | 'turn' | 'none' = 'while'
  let ignoring = false
  /** A stream ends when its last chunk was read, of which a part may be left. */
  let isEnded = false
  let onOver = () => {}
  /** Bytes of long lines since others had their turn. */
  let looked = 0
  const isReading = () => stir === undefined && !ignoring
  const splitter = lineSplitter(
    maxBytes,
    (line) => {
      onLine(line)
      return isReading()
    },
    long && {
      ...long,
      onEnd(pieces, bytes) {
        long.onEnd(pieces, bytes)
        return isReading()
      },
    },
  )

  const take = (chunk: Buffer) => {
    left = undefined
    if (ignoring) return
    const at = splitter.push(chunk)
    if (at < chunk.length) left = chunk.subarray(at)
    // What comes now is counted and thrown away, so it need not come fast.
    if (long && splitter.heldBytes > long.keepBytes) rest()
    looked = splitter.heldBytes > 0 ? looked + chunk.length : 0
    if (looked >= TURN_BYTES) turn()
  }
  const wake = () => {
    stir?.()
    stir = undefined
    while (left && !stir) {
      take(left)
      left ??= tail.shift()
    }
    if (stir) return
    if (isEnded) onOver()
    else stream.resume()
  }
  const turn = () => {
    if (stir || pace === 'none') return
    stream.pause()
    looked = 0
    const next = setImmediate(wake)
    stir = () => clearImmediate(next)
  }
  const rest = (times = 1) => {
    if (stir || pace === 'none') return
    if (pace === 'turn') return turn()
    stream.pause()
    const timer = setTimeout(wake, times * limits.NOISE_REST_MS)
    stir = () => clearTimeout(timer)
  }
  stream.on('data', take)
  stream.once('end', () => {
    isEnded = true
    if (!stir) onOver()
  })

  return {
    rest,
    midLine: () => left !== undefined || splitter.heldBytes > 0,
    ignore() {
      ignoring = true
      pace = 'none'
      wake()
    },
    drain(over) {
      onOver = over
      if (pace === 'while') pace = 'turn'
      wake()
    },
    end(over) {
      if (pace === 'while') pace = 'turn'
      stream.pause().off('data', take)
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) tail.push(chunk)
      left ??= tail.shift()
      isEnded = true
      onOver = () => {
        onOver = () => {}
        splitter.end()
        over()
      }
      wake()
    },
  }
}
