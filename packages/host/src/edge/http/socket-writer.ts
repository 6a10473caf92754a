import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { WebSocket } from 'ws'
import { openSocketStallTimer, type StallLimits } from '../../kernel/stalled.ts'

type Bounds = StallLimits &
  Pick<
    Limits,
    | 'CALL_SOCKET_BUSY_CALLS'
    | 'CALL_SOCKET_BUSY_MS'
    | 'CALL_SOCKET_GATHER_MS'
    | 'CALL_SOCKET_PING_MS'
    | 'READER_BUFFER_MAX_BYTES'
  >

/**
 * Lines of one tick leave in one frame. A frame costs the page more than an answer, and the calls that its answers
 * call for come back in one frame too: on a socket that was busy of late, a line waits for others up to
 * `CALL_SOCKET_GATHER_MS`, or until none is to come.
 *
 * While more than `READER_BUFFER_MAX_BYTES` wait for the reader, nothing more is taken from it; one that takes not
 * one byte for `READER_STALLED_MS` is cut. So is one for whom nothing waits and who leaves a ping unanswered.
 */
export function openWriter(socket: WebSocket, connection: Socket, clock: Clock, limits: Bounds) {
  let lines = ''
  let busyUntil = 0
  let isPlanned = false
  let stopGather: (() => void) | undefined
  let lives = true
  let holds = 0
  const stallTimer = openSocketStallTimer(connection, limits, () => socket.terminate())
  let stopPing = clock.setTimer(ping, limits.CALL_SOCKET_PING_MS)

  function ping() {
    // The pong of a reader that has yet to take what comes before the ping is late without being missing.
    if (!lives && socket.bufferedAmount === 0) return socket.terminate()
    lives = false
    socket.ping()
    stopPing = clock.setTimer(ping, limits.CALL_SOCKET_PING_MS)
  }

  /** Looks at what waits for the reader. The connection's own timer also sees the parts of a frame being taken. */
  function watch(): void {
    const waiting = socket.bufferedAmount
    stallTimer.update(waiting)
    if (waiting > limits.READER_BUFFER_MAX_BYTES || holds > 0) socket.pause()
    else if (socket.isPaused) socket.resume()
  }

  function flush(): void {
    isPlanned = false
    stopGather?.()
    stopGather = undefined
    const frame = lines
    lines = ''
    if (frame === '' || socket.readyState !== socket.OPEN) return
    socket.send(frame, () => stallTimer.isRunning && watch())
    if (socket.bufferedAmount > 0) watch()
  }

  socket.on('pong', () => {
    lives = true
  })

  return {
    /** Writes a line; `underWay` answers will still come after it. */
    add(line: string, underWay: number) {
      lines += line
      const now = clock.now()
      if (underWay >= limits.CALL_SOCKET_BUSY_CALLS) busyUntil = now + limits.CALL_SOCKET_BUSY_MS
      if (lines.length > limits.READER_BUFFER_MAX_BYTES) flush()
      else if (now < busyUntil && underWay > 0)
        stopGather ??= clock.setTimer(flush, limits.CALL_SOCKET_GATHER_MS)
      else if (!isPlanned) {
        isPlanned = true
        queueMicrotask(flush)
      }
    },
    /** Takes nothing more from this socket until then; cuts it where there is no waiting for it. */
    pauseUntil(turn: Promise<boolean> | null) {
      if (!turn || socket.readyState !== socket.OPEN) return
      holds += 1
      // A pong behind what is held is late without being missing.
      lives = true
      watch()
      void turn.then((isTurn) => {
        holds -= 1
        if (isTurn) watch()
        else socket.terminate()
      })
    },
    /** Sends what waits. */
    flush,
    end() {
      stopPing()
      stopGather?.()
    },
  }
}

/** Writes to one call socket, and sees to it that somebody reads. */
export type SocketWriter = ReturnType<typeof openWriter>
