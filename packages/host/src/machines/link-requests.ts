import type { Clock } from '@svc/node'
import { type CallOutcome, type Failure, failure } from '@svc/runner'
import type { HostMessage, SentMessage } from '@svc/runner/link'
import type { CallSubcalls } from './call-subcalls.ts'
import type { JobReports } from './job-reports.ts'

/** Sends a message over a link; `null` where it is over the caps of one. */
export type SendToMachine = (message: HostMessage, body?: Uint8Array) => SentMessage | null

/** A request to a machine. */
export interface LinkRequest<Outcome> {
  readonly kind: 'call' | 'job' | 'other'
  /** The message by the id that it gets. */
  readonly message: (id: number) => HostMessage
  readonly body?: Uint8Array
  /** Unix ms: then it has failed, whatever the machine says later. */
  readonly untilMs: number
  readonly late: () => Failure
  readonly signal?: AbortSignal | undefined
  /** The longest body that a good outcome may have. */
  readonly maxBytes: number
  /** Judges the body of a good outcome; a long one in turns with others. */
  readonly read: (body: Buffer) => Promise<Outcome | Failure>
  /** Handles the reports of a job. */
  readonly jobReports?: JobReports | undefined
  /** The requests that its plugin may make; closed with the outcome. */
  readonly subcalls?: CallSubcalls | undefined
}

/** A request that waits for its outcome. */
export interface PendingRequest
  extends Pick<LinkRequest<unknown>, 'kind' | 'maxBytes' | 'jobReports' | 'subcalls'> {
  answer(body: Buffer): void
  fail(failure: Failure): void
}

/** The requests of a host over one link. Each is settled once: by its outcome, its deadline, its signal or the link's end. */
export function openLinkRequests(send: SendToMachine, clock: Clock) {
  const open = new Map<unknown, PendingRequest>()
  let ids = 0
  let ended: Failure | null = null

  function ask<Outcome>(request: LinkRequest<Outcome>): Promise<Outcome | Failure> {
    const { message, body, untilMs, late, signal, read, ...kept } = request
    if (ended) return Promise.resolve(ended)
    if (signal?.aborted) return Promise.resolve(cancelled)
    ids += 1
    const id = ids
    const sent = send(message(id), body)
    if (!sent) return Promise.resolve(failure('plug_unavailable', 'The message to the runner is too long.'))
    return new Promise((resolve) => {
      /** Only its first outcome is read, which may take a while; what comes later is ignored. */
      let isRead = false
      const stopWaiting = () => {
        stop()
        signal?.removeEventListener('abort', onAbort)
        request.subcalls?.close()
      }
      const settle = (outcome: Outcome | Failure) => {
        if (!open.delete(id)) return
        stopWaiting()
        resolve(outcome)
      }
      const giveUp = (outcome: Failure, reason: string) => {
        settle(outcome)
        if (!sent.drop()) send({ type: 'cancel', id, reason })
      }
      const onAbort = () =>
        giveUp(cancelled, typeof signal?.reason === 'string' ? signal.reason : 'cancelled')
      const stop = clock.setTimer(() => giveUp(late(), 'timeout'), Math.max(0, untilMs - clock.now()))
      signal?.addEventListener('abort', onAbort)
      const waiting = {
        ...kept,
        answer(body: Buffer) {
          if (isRead) return
          isRead = true
          waiting.jobReports = undefined
          stopWaiting()
          void read(body).catch(unreadable).then(settle)
        },
        fail(failed: Failure) {
          if (!isRead) settle(failed)
        },
      }
      open.set(id, waiting)
    })
  }

  return {
    ask,
    /** The request with the id that a machine sent. */
    of: (id: unknown): PendingRequest | undefined => open.get(id),
    count: (kind: LinkRequest<unknown>['kind']) =>
      [...open.values()].filter((one) => one.kind === kind).length,
    /** Fails all of them, and what comes after. */
    end(failed: Failure): void {
      ended = failed
      for (const request of [...open.values()]) request.fail(failed)
    },
  }
}

/** See `openLinkRequests`. */
export type LinkRequests = ReturnType<typeof openLinkRequests>

const unreadable = (error: unknown) =>
  failure(
    'plug_unavailable',
    `The outcome of the runner could not be read: ${error instanceof Error ? error.message : error}.`,
  )

const cancelled = failure('cancelled', 'The call was cancelled.') satisfies CallOutcome
