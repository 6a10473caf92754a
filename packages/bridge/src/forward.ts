import {
  BATCH_MAX_CALLS,
  BRIDGE_WAITING_MAX,
  BRIDGE_WAITING_MAX_CHARS,
  IN_FLIGHT_PER_WINDOW,
  LAST_CALLS_MS,
  LAST_POSTS_MAX,
} from '@svc/contract/browser'
import { slowMethods } from '@svc/contract/lanes'
import { TOGETHER_MAX_CHARS } from '@svc/contract/wire'
import type { Clock } from './clock.ts'
import type { Lanes } from './lanes.ts'
import { type Call, failureText, resetText } from './texts.ts'

/** Sends calls as one POST and answers each as its answer comes; resolves when the connection is free. */
export type Post = (
  calls: readonly Call[],
  answer: (call: Call, text: string) => void,
  signal: AbortSignal,
) => Promise<void>

/** The calls of one window on their way to the host. */
export interface Forward {
  /** Takes the calls of one message: they join the line together, before any of them leaves it. */
  take(calls: readonly Call[]): void
  /** Nobody waits for the call: it leaves the line, and a POST that nobody waits for is given up. */
  drop(call: Call): void
  /** The document is gone: what waits leaves the line, slow POSTs are given up, quick ones (a last save) have 1 s more. */
  forget(calls: readonly Call[]): void
  /** Gives everything up. */
  close(): void
}

interface Batch {
  readonly slow: boolean
  readonly abort: AbortController
  /** Calls that somebody waits for. */
  readonly wanted: Set<Call>
  /** Its document is gone; it has a moment to end. */
  runsOut: boolean
  /** Gives the place in the lane free before the POST is over. */
  release(): void
}

const isLong = (call: Call): boolean => call.args.length > TOGETHER_MAX_CHARS
/** A run with attachments is quick at the host and long on its way there: no other call is to wait for that. */
const isSlow = (call: Call): boolean => {
  const name = `${call.ns}.${call.method}`
  return slowMethods.has(name) || (name === 'agent.session.run' && isLong(call))
}

/**
 * Keeps a window's calls in order (docs/decisions/0017-lanes-and-batches.md): at most 64 at the host, at most 256
 * waiting in line, past that `rate_limited`. What waits goes out as one POST of at most 64 calls, slow with slow, a
 * long text alone.
 */
export function createForward(lanes: Lanes, post: Post, clock: Clock): Forward {
  const slowLine: Call[] = []
  const fastLine: Call[] = []
  const sent = new Map<Call, Batch>()
  const batches = new Set<Batch>()
  let waitingChars = 0

  const lineOf = (slow: boolean) => (slow ? slowLine : fastLine)
  const waitingCount = () => slowLine.length + fastLine.length

  function nextBatch(slow: boolean): Call[] {
    const line = lineOf(slow)
    // The guard has not parsed a long text: in a body of its own it can spoil no other call.
    const long = line.findIndex(isLong)
    const count = long === -1 ? BATCH_MAX_CALLS : long || 1
    const calls = line.splice(0, Math.min(IN_FLIGHT_PER_WINDOW - sent.size, BATCH_MAX_CALLS, count))
    for (const { args } of calls) waitingChars -= args.length
    return calls
  }

  const leave = lanes.join({
    next(slow) {
      // Quick calls of a window keep their order: nothing else tells it to a host that serves bodies side by side.
      if (!slow && [...batches].some((before) => !before.slow && !before.runsOut)) return undefined
      const calls = nextBatch(slow)
      if (calls.length === 0) return undefined
      return new Promise((release) => {
        const batch: Batch = {
          slow,
          abort: new AbortController(),
          wanted: new Set(calls),
          runsOut: false,
          release,
        }
        for (const call of calls) sent.set(call, batch)
        batches.add(batch)
        void post(calls, answer, batch.abort.signal).then(() => {
          batches.delete(batch)
          // Only a POST that was given up leaves calls without an answer.
          for (const call of calls) answer(call, resetText(call.id))
          release()
        })
      })
    },
  })

  function answer(call: Call, text: string): void {
    const batch = sent.get(call)
    if (!batch) return
    sent.delete(call)
    batch.wanted.delete(call)
    call.answer(text)
    if (waitingCount() > 0) lanes.soon()
  }

  function runOut(batch: Batch): void {
    const { abort } = batch
    batch.runsOut = true
    batch.release()
    const timer = clock.setTimeout(() => abort.abort(), LAST_CALLS_MS)
    abort.signal.onabort = () => clock.clearTimeout(timer)
    const older = [...batches].filter(({ runsOut }) => runsOut).slice(0, -LAST_POSTS_MAX)
    for (const { abort } of older) abort.abort()
  }

  function unwanted(call: Call, mayRunOut: boolean): void {
    const line = lineOf(isSlow(call))
    const at = line.indexOf(call)
    if (at !== -1) {
      line.splice(at, 1)
      waitingChars -= call.args.length
      return
    }
    const batch = sent.get(call)
    if (!batch?.wanted.delete(call) || batch.wanted.size > 0) return
    if (mayRunOut && !batch.slow) runOut(batch)
    else batch.abort.abort()
  }

  return {
    take(calls) {
      for (const call of calls) {
        const chars = call.args.length
        const full =
          waitingCount() + sent.size >= IN_FLIGHT_PER_WINDOW + BRIDGE_WAITING_MAX ||
          (waitingChars > 0 && waitingChars + chars > BRIDGE_WAITING_MAX_CHARS)
        if (full)
          call.answer(
            failureText(call.id, {
              code: 'rate_limited',
              message: `a window may have ${IN_FLIGHT_PER_WINDOW} calls at the host and ${BRIDGE_WAITING_MAX} that wait`,
              details: { retriable: true, hint: 'Wait for answers before calling on.' },
            }),
          )
        else {
          lineOf(isSlow(call)).push(call)
          waitingChars += chars
        }
      }
      lanes.pump()
    },
    drop: (call) => unwanted(call, false),
    forget(calls) {
      for (const call of calls) unwanted(call, true)
    },
    close() {
      leave()
      for (const batch of batches) batch.abort.abort()
    },
  }
}
