/**
 * The one place that cuts readers who take nothing of what waits for them for `READER_STALLED_MS`; who reads slowly is
 * not cut, and what a reader sends meanwhile does not help. A stream that is written piece by piece counts the bytes that
 * were taken: the body of a `Response` has no socket. All others go by what the kernel took of their connection.
 */
import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'

/** How long a reader may take nothing. */
export type StallLimits = Pick<Limits, 'READER_STALLED_MS'>

/** How often a reader is looked at in that time: by so much a cut may be late. */
const LOOKS = 30

const lookMs = (limits: StallLimits) => Math.ceil(limits.READER_STALLED_MS / LOOKS)

/** Makes the timer of a stream; `taken` is how many bytes its reader has taken so far. */
export function openStallTimer(options: {
  readonly clock: Clock
  readonly limits: StallLimits
  readonly taken: () => number
  readonly onStalled: () => void
}) {
  const { clock, limits, taken, onStalled } = options
  let stopTimer: (() => void) | null = null

  function run(before: number, looks: number) {
    stopTimer = clock.setTimer(() => {
      const now = taken()
      if (now > before) run(now, LOOKS)
      else if (looks > 1) run(before, looks - 1)
      else onStalled()
    }, lookMs(limits))
  }

  return {
    /** Starts it, unless it runs. */
    start() {
      if (!stopTimer) run(taken(), LOOKS)
    },
    stop() {
      stopTimer?.()
      stopTimer = null
    },
  }
}

/** Runs while a reader has something to take. */
export type StallTimer = ReturnType<typeof openStallTimer>

/** A connection that is looked at, until nobody needs that any more. */
interface Watched {
  isOver: () => boolean
  taken: number
  looks: number
}

/** Opens the watch of the connections of a host; one timer looks at those for which something waits. */
export function openReaders(clock: Clock, limits: StallLimits) {
  const connections = new Map<Socket, Watched>()

  function look(): void {
    for (const [socket, one] of connections) {
      const taken = takenOf(socket)
      one.looks = socket.writableLength > 0 && taken === one.taken ? one.looks + 1 : 0
      one.taken = taken
      if (one.looks >= LOOKS) socket.destroy()
      if (socket.destroyed || one.isOver()) connections.delete(socket)
    }
    if (connections.size > 0) clock.setTimer(look, lookMs(limits))
  }

  return {
    /** Cuts a connection whose reader stalls, until `isOver`: left out, until nothing waits for it. Again is harmless. */
    watch(socket: Socket, isOver = () => socket.writableLength === 0): void {
      const watched = connections.get(socket)
      if (watched) watched.isOver = isOver
      else if (connections.set(socket, { isOver, taken: takenOf(socket), looks: 0 }).size === 1)
        clock.setTimer(look, lookMs(limits))
    },
  }
}

/** Who reads what a host writes. */
export type Readers = ReturnType<typeof openReaders>

/** What Node's own timeout of a socket goes by; nothing public tells what was taken of one long write. */
interface WithHandle {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}

/** Bytes that the other end, or the kernel for it, took of a connection. */
function takenOf(socket: Socket & WithHandle): number {
  const { bytesWritten, writeQueueSize } = socket._handle ?? {}
  if (bytesWritten !== undefined && writeQueueSize !== undefined) return bytesWritten - writeQueueSize
  return (socket.bytesWritten ?? 0) - socket.writableLength
}
