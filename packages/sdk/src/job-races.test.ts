import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import type { ErrorBody, JobState } from '@svc/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { HostRpcError } from './errors.ts'
import type { Progress } from './follow-job.ts'
import { refusal } from './testing/call.ts'
import { idOf, jobBed } from './testing/job.ts'

const ends: Readonly<Record<string, ErrorBody | undefined>> = {
  succeeded: undefined,
  failed: { code: 'tool_failed', message: 'm' },
  cancelled: { code: 'cancelled', message: 'by another window' },
  expired: { code: 'tool_timeout', message: 'm' },
}

/** One thing that happens: what it is, and a number for it. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(0, 50, 300, 1_000, 4_000)) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('progress', 'event', 'told'), fc.nat(3)) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('old event', 'lie', 'foreign event', 'reset', 'hold', 'release', 'away', 'back'),
      fc.nat(9),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('end', 'abort', 'document'), fc.nat(3)) },
)

verifies(
  ['decision.wait.settles_once', 'decision.wait.missed'],
  'settles once, tells progress once and in order, and leaves nothing behind, whatever comes when',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.boolean(),
        fc.option(fc.constantFrom(0, 900, 3_000, 20_000), { nil: undefined }),
        fc.boolean(),
        async (steps, slowStart, waitTimeoutMs, abortsInside) => {
          const bed = jobBed()
          const stop = new AbortController()
          const heard: Progress[] = []
          const settlements: ({ ok: unknown } | HostRpcError)[] = []
          const answer = bed.answer
          let gaveUp = waitTimeoutMs !== undefined
          const abort = () => {
            gaveUp = true
            stop.abort()
          }
          // The job stands before its id is told: events of it can come first.
          bed.answer('invokeAsync', { tool_id: 'builder' })
          bed.answer = (method, args) =>
            method === 'invokeAsync' ? { result: { jobId: idOf(1), state: 'queued' } } : answer(method, args)
          const steady = bed.answer
          if (slowStart) bed.holding = 'invokeAsync'
          bed.tools
            .invokeAsyncAwait(
              { tool_id: 'builder' },
              {
                signal: stop.signal,
                onProgress(item) {
                  heard.push(item)
                  if (abortsInside && item.seq === 5) abort()
                },
                ...(waitTimeoutMs !== undefined && { waitTimeoutMs }),
              },
            )
            .then(
              (ok) => settlements.push({ ok }),
              (error: HostRpcError) => settlements.push(error),
            )

          const happen: Record<string, (n: number) => unknown> = {
            pass: (ms) => bed.pass(ms),
            progress: () => bed.progress(1),
            event: () => bed.event(1),
            told() {
              bed.progress(1)
              bed.event(1)
            },
            'old event': (seq) => bed.event(1, { seq, terminal: false }),
            lie: (n) => bed.event(1, { seq: n * 100, terminal: n > 5 }),
            'foreign event': (n) => bed.event(1, { job_id: idOf(n + 2), terminal: true, seq: n }),
            reset: () => bed.hub.emit('reset'),
            hold() {
              bed.holding = 'getJob'
            },
            release: () => bed.release(),
            away() {
              bed.answer = (method, args) =>
                method === 'getJob' ? refusal('host_unreachable', { retriable: true }) : steady(method, args)
            },
            back() {
              bed.answer = steady
            },
            end(n) {
              const [state, error] = Object.entries(ends)[n] as [JobState, ErrorBody | undefined]
              bed.end(1, state, error ? { error } : { result: { built: true } })
            },
            abort,
            document() {
              gaveUp = true
              bed.ended.abort()
            },
          }
          for (const [what, n] of steps) await happen[what]?.(n)

          bed.answer = steady
          await bed.release()
          bed.end(1, 'succeeded', { result: { built: true } })
          await bed.pass(6_000)

          expect(settlements).toHaveLength(1)
          expect(bed.left(stop.signal)).toBe(0)
          let last = 0
          for (const { seq, missed } of heard) {
            expect([seq, missed]).toEqual([last + 1, 0])
            last = seq
          }
          const { state, lastSeq, result, error } = bed.job(1)
          const [settled] = settlements
          if (!gaveUp) {
            expect(last).toBe(lastSeq)
            if (state === 'succeeded') expect(settled).toEqual({ ok: result })
            else expect(settled).toMatchObject({ code: error?.code })
          }
          // Nobody is told of a job that goes on without its caller's knowledge, and nobody is told later.
          const before = heard.length
          bed.event(1, { seq: 1_000, terminal: true })
          bed.hub.emit('reset')
          await bed.pass(1_000)
          expect([heard.length, settlements.length]).toEqual([before, 1])
        },
      ),
      { numRuns: rounds(300) },
    )
  },
)
