import type { Limits } from '@svc/contract'
import type { WebSocket } from 'ws'
import type { Clock } from '../clock.ts'

/** Writes to one call socket, and sees to it that somebody reads. */
export interface SocketWriter {
  /** Writes a line; `underWay` answers will still come after it. */
  add(line: string, underWay: number): void
  /** Sends what waits. */
  flush(): void
  end(): void
}

type Bounds = Pick<
  Limits,
  | 'CALL_SOCKET_BUSY_CALLS'
  | 'CALL_SOCKET_BUSY_MS'
  | 'CALL_SOCKET_GATHER_MS'
  | 'CALL_SOCKET_PING_MS'
  | 'READER_BUFFER_MAX_BYTES'
  | 'READER_STALLED_MS'
>

/**
 * Lines of one tick leave in one frame. A frame costs the page more than an answer, and the calls that its answers
 * call for come back in one frame too: on a socket that was busy of late, a line waits for others up to
 * `CALL_SOCKET_GATHER_MS`, or until none is to come.
 *
 * While more than `READER_BUFFER_MAX_BYTES` wait for the reader, nothing more is taken from it; one that takes
 * nothing for `READER_STALLED_MS` is cut. So is one that leaves a ping unanswered.
 */
export function openWriter(socket: WebSocket, clock: Clock, limits: Bounds): SocketWriter {
  let lines = ''
  let busyUntil = 0
  let isPlanned = false
  let stopGather: (() => void) | undefined
  let stopStall: (() => void) | undefined
  let lives = true
  let stopPing = clock.setTimer(ping, limits.CALL_SOCKET_PING_MS)

  function ping() {
    // What a paused socket says is not heard; whether it reads is told by what it takes.
    if (!lives && !socket.isPaused) return socket.terminate()
    lives = false
    socket.ping()
    stopPing = clock.setTimer(ping, limits.CALL_SOCKET_PING_MS)
  }

  const isFull = () => socket.bufferedAmount > limits.READER_BUFFER_MAX_BYTES
  const hold = () => {
    stopStall = clock.setTimer(() => socket.terminate(), limits.READER_STALLED_MS)
  }

  function taken(): void {
    if (!stopStall) return
    stopStall()
    stopStall = undefined
    if (isFull()) hold()
    else socket.resume()
  }

  function flush(): void {
    isPlanned = false
    stopGather?.()
    stopGather = undefined
    const frame = lines
    lines = ''
    if (frame === '' || socket.readyState !== socket.OPEN) return
    socket.send(frame, taken)
    if (stopStall || !isFull()) return
    socket.pause()
    hold()
  }

  socket.on('pong', () => {
    lives = true
  })

  return {
    add(line, underWay) {
      lines += line
      const now = clock.now()
      if (underWay >= limits.CALL_SOCKET_BUSY_CALLS) busyUntil = now + limits.CALL_SOCKET_BUSY_MS
      if (now < busyUntil && underWay > 0) stopGather ??= clock.setTimer(flush, limits.CALL_SOCKET_GATHER_MS)
      else if (!isPlanned) {
        isPlanned = true
        queueMicrotask(flush)
      }
    },
    flush,
    end() {
      stopPing()
      stopGather?.()
      stopStall?.()
    },
  }
}
