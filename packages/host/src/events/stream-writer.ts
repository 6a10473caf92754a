import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { openStallTimer, type StallTimer } from '../kernel/stalled.ts'

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

/** Has a writer flush: at once, or together with others. */
export type FlushSchedule = (writer: Pick<StreamWriter, 'flush'>) => void

/** What a writer is made of. */
export interface StreamWriterOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly connection: Connection
  readonly schedule: FlushSchedule
  /** Called when the reader is to be cut: who owns the writer calls `destroy`. */
  readonly onStalled: () => void
}

type WriterHost = Pick<StreamWriterOptions, 'clock' | 'limits' | 'schedule'>

/** Opens the writer of a connection. */
export const openStreamWriter = ({ connection, onStalled, ...host }: StreamWriterOptions): StreamWriter =>
  new ConnectionWriter(host, connection, onStalled)

/** A class, because a host has one for each page that is open: its methods are made once. */
export class ConnectionWriter implements StreamWriter {
  readonly #host: WriterHost
  readonly #connection: Connection
  readonly #onStalled: () => void
  #pieces: Uint8Array[] | null = null
  #held = 0
  #written = 0
  #isFull = false
  #isOver = false
  /** Most readers never let anything wait. */
  #stallTimer: StallTimer | null = null

  /** `host` is what all writers share. */
  constructor(host: WriterHost, connection: Connection, onStalled: () => void) {
    this.#host = host
    this.#connection = connection
    this.#onStalled = onStalled
  }

  get full(): boolean {
    return this.#isFull
  }

  get room(): number {
    return this.#host.limits.READER_BUFFER_MAX_BYTES - this.#connection.waiting - this.#held
  }

  write(bytes: Uint8Array): void {
    if (this.#isOver) return
    this.#held += bytes.length
    if (this.#pieces) this.#pieces.push(bytes)
    else {
      this.#pieces = [bytes]
      this.#host.schedule(this)
    }
  }

  flush(): void {
    if (this.#isOver || !this.#pieces) return
    const [first] = this.#pieces
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)
    this.#pieces = null
    this.#held = 0
    this.#written += bytes.length
    this.#isFull = !this.#connection.write(bytes)
    if (this.#isFull) this.#startStallTimer()
  }

  onDrain(): void {
    this.#isFull = false
    this.#stallTimer?.stop()
  }

  end(): void {
    this.#close(() => (this.#isFull ? this.#connection.destroy() : this.#connection.end()))
  }

  destroy(error?: unknown): void {
    this.#close(() => this.#connection.destroy(error))
  }

  detach(): void {
    this.#close(() => {})
  }

  #startStallTimer(): void {
    this.#stallTimer ??= openStallTimer({
      ...this.#host,
      taken: () => this.#written - this.#connection.waiting,
      onStalled: this.#onStalled,
    })
    this.#stallTimer.start()
  }

  #close(how: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stallTimer?.stop()
    how()
  }
}

/** Flushes at the end of a turn of the event loop, all writers behind one immediate: a host may have many. */
export function openFlushSchedule(): FlushSchedule {
  let waiting: Pick<StreamWriter, 'flush'>[] = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const writer of all) writer.flush()
  }
  return (writer) => {
    if (waiting.push(writer) === 1) setImmediate(run)
  }
}
