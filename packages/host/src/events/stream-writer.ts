import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { openStallTimer } from '../kernel/stalled.ts'

/** Where the bytes of one stream go: a response of Node or the body of a `Response`. */
export interface Connection {
  /** Takes bytes, always; `false` says that enough wait, and that `onDrain` will be called. */
  write(bytes: Uint8Array): boolean
  /** Bytes taken that the reader has not. */
  readonly waiting: number
  /** Ends the stream behind what waits. */
  end(): void
  /** Cuts the connection, with an error where something of ours failed; what waits is dropped. */
  destroy(error?: unknown): void
}

/** The events of a connection for its stream. */
export interface ConnectionEvents {
  /** It takes more. */
  onDrain(): void
  /** The reader went away; twice is harmless. */
  onClose(): void
}

/** Writes to one connection; a reader that takes nothing for `READER_STALLED_MS` is cut. */
export interface StreamWriter {
  /** The reader has not taken what it was given: it is written to again when it has. */
  readonly full: boolean
  /** Bytes that may be written before `READER_BUFFER_MAX_BYTES` wait. */
  readonly room: number
  /** Takes bytes for the next flush. */
  write(bytes: Uint8Array): void
  /** Writes in one piece what was taken. */
  flush(): void
  /** To be called when the connection takes more. */
  onDrain(): void
  /** Ends; behind a reader that takes nothing an end would wait for ever, so it is cut. */
  end(): void
  /** Cuts the connection. */
  destroy(error?: unknown): void
  /** Drops the connection, whose reader is gone. */
  detach(): void
}

/** Calls a flush: at once, or together with those of other writers. */
export type FlushSchedule = (flush: () => void) => void

/** What a writer is made of. */
export interface StreamWriterOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly connection: Connection
  readonly schedule: FlushSchedule
  /** Called when the reader is to be cut: who owns the writer calls `destroy`. */
  readonly onStalled: () => void
}

/** Opens the writer of a connection. */
export function openStreamWriter(options: StreamWriterOptions): StreamWriter {
  const { clock, limits, connection, schedule, onStalled } = options
  let pieces: Uint8Array[] = []
  let held = 0
  let written = 0
  let full = false
  let over = false
  const stallTimer = openStallTimer({
    clock,
    limits,
    taken: () => written - connection.waiting,
    onStalled,
  })

  function close(how: () => void) {
    if (over) return
    over = true
    stallTimer.stop()
    how()
  }

  const writer: StreamWriter = {
    get full() {
      return full
    },
    get room() {
      return limits.READER_BUFFER_MAX_BYTES - connection.waiting - held
    },
    write(bytes) {
      if (over) return
      pieces.push(bytes)
      held += bytes.length
      if (pieces.length === 1) schedule(writer.flush)
    },
    flush() {
      if (over || pieces.length === 0) return
      const [first] = pieces
      const bytes = pieces.length === 1 && first ? first : Buffer.concat(pieces)
      pieces = []
      held = 0
      written += bytes.length
      full = !connection.write(bytes)
      if (full) stallTimer.start()
    },
    onDrain() {
      full = false
      stallTimer.stop()
    },
    end: () => close(() => (full ? connection.destroy() : connection.end())),
    destroy: (error) => close(() => connection.destroy(error)),
    detach: () => close(() => {}),
  }
  return writer
}

/** Flushes at the end of a turn of the event loop, all writers behind one immediate: a host may have many. */
export function openFlushSchedule(): FlushSchedule {
  let waiting: (() => void)[] = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const flush of all) flush()
  }
  return (flush) => {
    if (waiting.push(flush) === 1) setImmediate(run)
  }
}
