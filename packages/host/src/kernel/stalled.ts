/**
 * The one place that cuts readers who take nothing of what waits for them for `READER_STALLED_MS`; who reads slowly is
 * not cut. A stream that is written piece by piece counts the bytes that were taken, on the host's clock: the body of a
 * `Response` has no socket. Answers of `node:http` and call sockets go by the timer of their socket, which also sees
 * parts of one long write being taken.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'

/** How long a reader may take nothing. */
export type StallLimits = Pick<Limits, 'READER_STALLED_MS'>

/** Makes the timer of a stream; `taken` is how many bytes its reader has taken so far. */
export function openStallTimer(options: {
  readonly clock: Clock
  readonly limits: StallLimits
  readonly taken: () => number
  readonly onStalled: () => void
}) {
  const { clock, limits, taken, onStalled } = options
  let stopTimer: (() => void) | null = null

  function run() {
    const before = taken()
    stopTimer = clock.setTimer(() => {
      if (taken() > before) run()
      else onStalled()
    }, limits.READER_STALLED_MS)
  }

  return {
    /** Starts it, unless it runs. */
    start() {
      if (!stopTimer) run()
    },
    stop() {
      stopTimer?.()
      stopTimer = null
    },
  }
}

/** Runs while a reader has something to take. */
export type StallTimer = ReturnType<typeof openStallTimer>

/** Cuts the reader of an answer of which something waits already; Node forgets this with the answer. */
export function cutStalledAnswer(res: ServerResponse, limits: StallLimits): void {
  if (res.writableLength > 0) res.setTimeout(limits.READER_STALLED_MS)
}

/** Pauses the timer while the next part of the answer is made: the reader is not at fault. */
export function pauseStallTimer(res: ServerResponse): void {
  res.setTimeout(0)
}

/**
 * The same for an answer that is written elsewhere: a socket that is quiet is a reader's fault where something waits
 * for it, and nobody's where the answer is long in coming. What is written next starts the time again.
 */
export function cutStalledRoute(res: ServerResponse, limits: StallLimits): void {
  res.setTimeout(limits.READER_STALLED_MS, () => {
    if (res.writableLength > 0) res.destroy()
  })
}

/** Makes it; `cut` is called when the client read nothing for too long. */
export function openSocketStallTimer(socket: Socket, limits: StallLimits, cut: () => void) {
  socket.on('timeout', cut)
  return {
    get isRunning() {
      return Boolean(socket.timeout)
    },
    /** Runs while bytes wait for the reader. */
    update(waitingBytes: number) {
      socket.setTimeout(waitingBytes > 0 ? limits.READER_STALLED_MS : 0)
    },
  }
}

/** Runs while bytes wait for the reader of a socket. */
export type SocketStallTimer = ReturnType<typeof openSocketStallTimer>
