import {
  RUN_TOTAL_MS,
  STREAM_ATTACH_MS,
  STREAM_BUFFER_FRAMES,
  STREAM_GAP_MS,
  STREAM_REPLAYS_MAX,
  STREAM_RETAIN_MS,
  STREAM_RETRY_MAX_MS,
  STREAM_SILENT_MS,
} from '@svc/contract/browser'
import type { CallOptions, ErrorBody } from '@svc/contract/client'
import { createAlarm } from './alarm.ts'
import type { Clock } from './clock.ts'
import { type HostRpcError, isRetryable, ownError } from './errors.ts'
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
  /** After how long the frames are asked for where nothing comes, in ms. */
  readonly firstMs: number
  readonly attach: (afterSeq: number, options: CallOptions) => Promise<{ last_seq: number; done: boolean }>
}

/** Hears a stream: each frame once and in order, then one end. */
export interface StreamListener {
  frame(frame: StreamFrame): void
  /** With an error if frames are missing that cannot be fetched. No other event comes after it. */
  over(error?: ErrorBody): void
}

/** Past that after the host was last reached, whatever the stream had is gone. */
const AWAY_MAX_MS = RUN_TOTAL_MS + STREAM_RETAIN_MS

/** How long after the nth failed replay the next one is requested, in ms. */
const restMs = (tries: number) => Math.min(STREAM_GAP_MS * 2 ** tries, STREAM_RETRY_MAX_MS)

const gap = (due: number, why: string) =>
  ownError('stream_gap', `frame ${due} of the stream is missing, and ${why}`, {
    hint: 'The run goes on: to attach to it again reads it from its beginning.',
  })
const full = `more than ${STREAM_BUFFER_FRAMES} frames wait for it`
const fruitless = `${STREAM_REPLAYS_MAX} replays did not bring it`

/**
 * Follows a stream to its end. What is missing is asked for again: 250 ms after a gap was seen, 2 s after
 * the run was accepted and nothing came, after 60 s without any frame, and at once when events may have been lost.
 * A replay that the host cannot be asked for is tried again, from 500 ms to 5 s later, as long as a run can live.
 * One that the host refuses ends the following, and so does the end of the document. Nothing is skipped.
 */
export function followStream(
  { streams, clock, ended }: StreamParts,
  { streamId, afterSeq, lastSeq, done, firstMs, attach }: Source,
  hearer: StreamListener,
): void {
  const over = new AbortController()
  const alarm = createAlarm(clock)
  const ring = createRing<StreamFrame>(afterSeq, (frame) => {
    hearer.frame(frame)
    if (frame.done) close()
  })
  ring.expect(lastSeq)
  const isMissing = () => ring.newest >= ring.due
  /** Replays since a frame was delivered or nothing was missing: all, and those that were answered. */
  let tries = isMissing() ? 1 : 0
  let answered = 0
  /** Events may have been lost. */
  let again = false
  /** When the next replay is asked for. */
  let askAt = clock.now() + (isMissing() ? restMs(tries) : firstMs)
  let awaySince = Number.POSITIVE_INFINITY

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
    if (!ring.put(frame)) {
      close(gap(due, full))
      return
    }
    const isNext = ring.due > due
    if (isNext) tries = answered = 0
    if (tries > 0) return
    const now = clock.now()
    if (!isMissing()) askAt = now + STREAM_SILENT_MS
    else if (isNext || askAt > now + STREAM_GAP_MS) {
      askAt = now + STREAM_GAP_MS
      alarm.set(askAt)
    }
  }

  async function replay(): Promise<void> {
    if (answered >= STREAM_REPLAYS_MAX) {
      close(gap(ring.due, fruitless))
      return
    }
    again = false
    tries += 1
    const rest = restMs(tries)
    try {
      const options = { timeoutMs: STREAM_ATTACH_MS, signal: over.signal }
      const { last_seq, done } = await attach(ring.due - 1, options)
      awaySince = Number.POSITIVE_INFINITY
      ring.expect(last_seq)
      if (isMissing()) answered += 1
      else if (done) close()
      else tries = 0
    } catch (error) {
      awaySince = Math.min(awaySince, clock.now())
      if (!isRetryable(error) || clock.now() >= awaySince + AWAY_MAX_MS) close(error as HostRpcError)
    }
    askAt = clock.now() + (tries > 0 || isMissing() ? rest : STREAM_SILENT_MS)
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      if (again || clock.now() >= askAt) await replay()
      else {
        alarm.set(askAt)
        await alarm.wait()
      }
    }
  }

  ended.addEventListener('abort', leave)
  const stop = streams.follow(streamId, {
    frame: take,
    lost() {
      again = true
      alarm.set(clock.now())
    },
  })
  if (ended.aborted) leave()
  else if (done && !isMissing()) close()
  over.signal.addEventListener('abort', stop)
  if (over.signal.aborted) stop()
  else void watch()
}
