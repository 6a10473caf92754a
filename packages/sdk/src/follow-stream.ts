import type { CallOptions, ErrorBody } from '@svc/contract'
import {
  RUN_TOTAL_MS,
  STREAM_ATTACH_MS,
  STREAM_BUFFER_FRAMES,
  STREAM_FIRST_MS,
  STREAM_GAP_MS,
  STREAM_REPLAYS_MAX,
  STREAM_RETAIN_MS,
  STREAM_RETRY_MAX_MS,
  STREAM_SILENT_MS,
} from '@svc/contract/browser'
import { createAlarm } from './alarm.ts'
import type { Clock } from './clock.ts'
import { type HostRpcError, mayPass, ownError } from './errors.ts'
import { createRing } from './ring.ts'
import type { StreamFrame, Streams } from './streams.ts'

/** What following a stream works with. */
export interface StreamParts {
  readonly streams: Streams
  readonly clock: Clock
  /** Aborts when the document goes away for good. */
  readonly ended: AbortSignal
}

/** Which stream is followed, from where, and how its frames are asked for again. */
export interface Source {
  readonly streamId: string
  /** The last frame that is known; 0 for none. */
  readonly afterSeq: number
  /** The newest frame that the host has. */
  readonly lastSeq: number
  /** Whether that is the last one. */
  readonly done: boolean
  /** Whether the frames were asked for again already: they are on their way. */
  readonly asked: boolean
  readonly attach: (afterSeq: number, options: CallOptions) => Promise<{ last_seq: number; done: boolean }>
}

/** Hears a stream: each frame once and in order, then one end. */
export interface Hearer {
  frame(frame: StreamFrame): void
  /** With an error where frames are missing that nobody can bring. Nothing is told after it. */
  over(error?: ErrorBody): void
}

/** Past that after the host was last reached, whatever the stream had is gone. */
const AWAY_MAX_MS = RUN_TOTAL_MS + STREAM_RETAIN_MS

const full = (due: number) =>
  ownError(
    'stream_gap',
    `frame ${due} of the stream is missing, and more than ${STREAM_BUFFER_FRAMES} frames wait for it`,
    'The run goes on: attach reads it again from its beginning, history() tells what it said.',
  )
const fruitless = (due: number) =>
  ownError(
    'stream_gap',
    `frame ${due} of the stream did not come by ${STREAM_REPLAYS_MAX} replays`,
    'The run goes on: attach reads it again from its beginning, history() tells what it said.',
  )

/**
 * Follows a stream to its end (design §7). What is missing is asked for again: 250 ms after a gap was seen, 2 s after
 * the run was accepted and nothing came, after 60 s without any frame, and at once when events may have been lost.
 * A replay that the host cannot be asked for is tried again, from 500 ms to 5 s later, as long as a run can live.
 * One that the host refuses ends the following, and so does the end of the document. Nothing is skipped.
 */
export function followStream(
  { streams, clock, ended }: StreamParts,
  { streamId, afterSeq, lastSeq, done, asked, attach }: Source,
  hearer: Hearer,
): void {
  const over = new AbortController()
  const alarm = createAlarm(clock)
  const ring = createRing<StreamFrame>(afterSeq, (frame) => {
    hearer.frame(frame)
    if (frame.done) close()
  })
  let heardAt = clock.now()
  let askAt = heardAt + STREAM_FIRST_MS
  let again = false
  let awaySince = Number.POSITIVE_INFINITY
  /** Replays since a frame was delivered: all, and those that were answered. */
  let tries = asked ? 1 : 0
  let answered = 0

  function close(error?: ErrorBody): void {
    if (over.signal.aborted) return
    over.abort()
    alarm.end()
    ended.removeEventListener('abort', leave)
    hearer.over(error)
  }

  const leave = () => close(ownError('bridge_reset', 'the document went away; the run goes on without it'))

  function take(frame: StreamFrame): void {
    const { due } = ring
    heardAt = clock.now()
    if (!ring.put(frame)) {
      close(full(due))
      return
    }
    if (ring.due > due) tries = answered = 0
    if (ring.due > due || ring.newest < due) askAt = Number.POSITIVE_INFINITY
    if (ring.newest < ring.due || tries > 0 || askAt <= heardAt + STREAM_GAP_MS) return
    askAt = heardAt + STREAM_GAP_MS
    alarm.set(askAt)
  }

  async function replay(): Promise<void> {
    if (answered >= STREAM_REPLAYS_MAX) {
      close(fruitless(ring.due))
      return
    }
    again = false
    tries += 1
    askAt = Number.POSITIVE_INFINITY
    const restMs = Math.min(STREAM_GAP_MS * 2 ** tries, STREAM_RETRY_MAX_MS)
    try {
      const options = { timeoutMs: STREAM_ATTACH_MS, signal: over.signal }
      const answer = await attach(ring.due - 1, options)
      heardAt = clock.now()
      awaySince = Number.POSITIVE_INFINITY
      ring.expect(answer.last_seq)
      if (ring.newest < ring.due) return answer.done ? close() : undefined
      answered += 1
    } catch (error) {
      awaySince = Math.min(awaySince, clock.now())
      if (!mayPass(error) || clock.now() >= awaySince + AWAY_MAX_MS) close(error as HostRpcError)
    }
    askAt = clock.now() + restMs
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      const lookAt = Math.min(askAt, heardAt + STREAM_SILENT_MS)
      if (again || clock.now() >= lookAt) await replay()
      else {
        alarm.set(lookAt)
        await alarm.wait()
      }
    }
  }

  ring.expect(lastSeq)
  ended.addEventListener('abort', leave)
  const stop = streams.follow(streamId, {
    frame: take,
    lost() {
      again = true
      alarm.set(clock.now())
    },
  })
  over.signal.addEventListener('abort', stop)
  if (ended.aborted) leave()
  else if (done && ring.newest < ring.due) close()
  if (over.signal.aborted) stop()
  else watch()
}
