import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { WebSocket } from 'ws'
import type { Reader } from '../../kernel/limiter/unread.ts'
import type { Readers } from '../../kernel/stalled.ts'

type Bounds = Pick<
  Limits,
  | 'CALL_SOCKET_BUSY_CALLS'
  | 'CALL_SOCKET_BUSY_MS'
  | 'CALL_SOCKET_GATHER_MS'
  | 'CALL_SOCKET_PING_MS'
  | 'READER_BUFFER_MAX_BYTES'
>

/** What all writers of a host need. */
interface WriterHost {
  readonly clock: Clock
  readonly limits: Bounds
  readonly readers: Readers
}

/**
 * Writes to one call socket, and sees to it that somebody reads. Lines of one tick leave in one frame. A frame costs the
 * page more than an answer, and the calls that its answers call for come back in one frame too: on a socket that was
 * busy of late, a line waits for others up to `CALL_SOCKET_GATHER_MS`, or until none is to come.
 *
 * While more than `READER_BUFFER_MAX_BYTES` wait for the reader, nothing more is taken from it, and no call that came is
 * carried out (`Reader`); one that takes not one byte for `READER_STALLED_MS` is cut. So is one for whom nothing waits and
 * who leaves a ping unanswered.
 *
 * A class, because a host has one for each page that is open: its methods are made once.
 */
export class SocketWriter {
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #limits: Bounds
  readonly #connection: Socket
  readonly #reader: Reader
  readonly #readers: Readers
  #lines = ''
  #busyUntil = 0
  #isPlanned = false
  #lives = true
  #holds = 0
  #stopGather: (() => void) | null = null
  #stopPing = () => {}

  constructor(socket: WebSocket, connection: Socket, reader: Reader, { clock, limits, readers }: WriterHost) {
    this.#socket = socket
    this.#clock = clock
    this.#limits = limits
    this.#connection = connection
    this.#reader = reader
    this.#readers = readers
    this.#planPing()
    socket.on('pong', () => {
      this.#lives = true
    })
  }

  /** Writes a line; `underWay` answers will still come after it. */
  add(line: string, underWay: number): void {
    this.#lines += line
    this.#reader.owe(line.length)
    const limits = this.#limits
    const now = this.#clock.now()
    if (underWay >= limits.CALL_SOCKET_BUSY_CALLS) this.#busyUntil = now + limits.CALL_SOCKET_BUSY_MS
    if (this.#lines.length > limits.READER_BUFFER_MAX_BYTES) this.flush()
    else if (now < this.#busyUntil && underWay > 0)
      this.#stopGather ??= this.#clock.setTimer(() => this.flush(), limits.CALL_SOCKET_GATHER_MS)
    else if (!this.#isPlanned) {
      this.#isPlanned = true
      queueMicrotask(() => this.flush())
    }
  }

  /** Takes nothing more from this socket until then; cuts it where there is no waiting for it. */
  pauseUntil(turn: Promise<boolean> | null): void {
    if (!turn || this.#socket.readyState !== this.#socket.OPEN) return
    this.#holds += 1
    // A pong behind what is held is late without being missing.
    this.#lives = true
    this.#watch()
    void turn.then((isTurn) => {
      this.#holds -= 1
      if (isTurn) this.#watch()
      else this.#socket.terminate()
    })
  }

  /** Sends what waits. */
  flush(): void {
    this.#isPlanned = false
    this.#stopGather?.()
    this.#stopGather = null
    const frame = this.#lines
    this.#lines = ''
    if (frame === '' || this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(frame, () => {
      this.#reader.took(frame.length)
      if (this.#socket.isPaused) this.#watch()
    })
    if (this.#socket.bufferedAmount > 0) this.#watch()
  }

  /** Bytes that were sent and not taken yet. */
  get waiting(): number {
    return this.#socket.bufferedAmount
  }

  /** Sends bytes of the event stream as they are, in a frame of their own; `onSent` once they have left. */
  sendBytes(bytes: Uint8Array, onSent: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(bytes, { binary: true }, () => {
      if (this.#socket.isPaused) this.#watch()
      onSent()
    })
    if (this.#socket.bufferedAmount > 0) this.#watch()
  }

  /** Cuts the socket, whose reader takes nothing. */
  cut(): void {
    this.#socket.terminate()
  }

  end(): void {
    this.#stopPing()
    this.#stopGather?.()
    this.#reader.end()
  }

  #planPing(): void {
    this.#stopPing = this.#clock.setTimer(() => this.#ping(), this.#limits.CALL_SOCKET_PING_MS)
  }

  #ping(): void {
    // The pong of a reader that has yet to take what comes before the ping is late without being missing.
    if (!this.#lives && this.#socket.bufferedAmount === 0) this.#socket.terminate()
    else {
      this.#lives = false
      this.#socket.ping()
      this.#planPing()
    }
  }

  /** Looks at what waits for the reader. */
  #watch(): void {
    const waiting = this.#socket.bufferedAmount
    if (waiting > 0) this.#readers.watch(this.#connection)
    if (waiting > this.#limits.READER_BUFFER_MAX_BYTES || this.#holds > 0) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }
}
