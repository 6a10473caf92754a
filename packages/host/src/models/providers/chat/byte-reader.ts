import type { Readable } from 'node:stream'
import type { Clock } from '@svc/node'

/** The bytes of an answer as they come. */
export interface ByteReader {
  /**
   * The next bytes, all that have come; `null`: there are no more, or none came in `withinMs`. Rejects with what broke the
   * connection.
   */
  read(withinMs?: number): Promise<Uint8Array | null>
  /** Closes the connection; twice is harmless. */
  cancel(): void
}

/** Bytes that may wait before the connection is no longer read. */
const WAITING_BYTES = 65_536

/** How many bytes an answer may have, and what is thrown past that. */
export interface ByteCap {
  readonly max: number
  error(): Error
}

/** Reads a stream; one that breaks rejects with a `TypeError`, as the body of a `fetch` does. It is closed past its cap. */
export function bytesOf(stream: Readable, cap: ByteCap, clock: Clock): ByteReader {
  let total = 0
  let waiting: Buffer[] = []
  let size = 0
  let isOver = false
  let broken: TypeError | null = null
  let wake = () => {}

  const end = () => {
    isOver = true
    wake()
  }
  const fail = (cause?: Error) => {
    if (!isOver) broken ??= new TypeError('terminated', { cause })
    wake()
  }
  stream
    .on('data', (piece: Buffer) => {
      waiting.push(piece)
      size += piece.length
      if (size >= WAITING_BYTES) stream.pause()
      wake()
    })
    .on('end', end)
    .on('error', fail)
    .on('close', fail)

  return {
    async read(withinMs) {
      if (size === 0 && !isOver && !broken) {
        stream.resume()
        let stop = () => {}
        await new Promise<void>((resolve) => {
          wake = resolve
          if (withinMs !== undefined) stop = clock.setTimer(resolve, withinMs)
        })
        stop()
      }
      if (size > 0) {
        const [first] = waiting
        const bytes = first && waiting.length === 1 ? first : Buffer.concat(waiting)
        waiting = []
        size = 0
        total += bytes.length
        if (total <= cap.max) return bytes
        stream.destroy()
        throw cap.error()
      }
      if (broken) throw broken
      return null
    },
    cancel: () => void stream.destroy(),
  }
}

/** Reads an answer to its end, as text. */
export async function readWhole(reader: ByteReader): Promise<string> {
  const pieces: Uint8Array[] = []
  for (let piece = await reader.read(); piece !== null; piece = await reader.read()) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
