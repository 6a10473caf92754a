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
  /** Takes what is left, and what still comes, without a rest: the process is gone. */
  drain(): void
  /** Takes the last line where it has no end. */
  end(): void
}

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
  let resting: NodeJS.Timeout | undefined
  let left: Buffer | undefined
  let draining = false
  const goOn = () => resting === undefined
  const splitter = lineSplitter(
    maxBytes,
    (line) => {
      onLine(line)
      return goOn()
    },
    long && {
      keepBytes: long.keepBytes,
      onLong(start, bytes) {
        long.onLong(start, bytes)
        return goOn()
      },
    },
  )

  const take = (chunk: Buffer) => {
    const at = splitter.push(chunk)
    left = at < chunk.length ? chunk.subarray(at) : undefined
    // What comes now is counted and thrown away, so it need not come fast.
    if (long && splitter.heldBytes > long.keepBytes) rest()
  }
  const wake = () => {
    resting = undefined
    if (left) take(left)
    if (goOn()) stream.resume()
  }
  const rest = (times = 1) => {
    if (draining || resting) return
    stream.pause()
    resting = setTimeout(wake, times * limits.NOISE_REST_MS)
  }
  stream.on('data', take)

  return {
    rest,
    midLine: () => left !== undefined || splitter.heldBytes > 0,
    drain() {
      draining = true
      clearTimeout(resting)
      resting = undefined
      if (left) take(left)
      stream.resume()
    },
    end: () => splitter.end(),
  }
}
