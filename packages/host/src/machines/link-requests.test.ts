import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { type CallOutcome, type Failure, failure } from '@svc/runner'
import { expect } from 'vitest'
import { openLinkRequests } from './link-requests.ts'

const good: CallOutcome = { ok: true, payload: 1, json: '1', bytes: 1 }
const gone = failure('agent_unavailable', 'The link has ended.', { retriable: true })
const late = failure('tool_timeout', 'It came too late.')

/** A request whose outcome has come and is being read. */
function reading() {
  const clock = frozenClock()
  const aborter = new AbortController()
  const read = Promise.withResolvers<CallOutcome | Failure>()
  const sent: string[] = []
  const requests = openLinkRequests((message) => {
    sent.push(message.type)
    return { drop: () => false }
  }, clock)
  const outcome = requests.ask<CallOutcome>({
    kind: 'call',
    message: (id) => ({ type: 'cancel', id, reason: '' }),
    untilMs: clock.now() + 1_000,
    late: () => late,
    signal: aborter.signal,
    maxBytes: 1,
    read: () => read.promise,
  })
  requests.of(1)?.answer(Buffer.from('1'))
  return { clock, aborter, requests, outcome, read, sent }
}

type Reading = ReturnType<typeof reading>

verifies.each('link.outcome.read')([
  ['the link ends', ({ requests }: Reading) => requests.end(gone)],
  ['the machine says that it failed', ({ requests }: Reading) => requests.of(1)?.fail(gone)],
  ['its time is over', ({ clock }: Reading) => clock.advance(2_000)],
  ['its caller leaves', ({ aborter }: Reading) => aborter.abort()],
])('an outcome that has come counts, though %s while it is read', async (_what, meanwhile) => {
  const bed = reading()
  await meanwhile(bed)
  bed.read.resolve(good)
  expect(await bed.outcome).toEqual(good)
  expect(bed.sent).toEqual(['cancel'])
})

verifies('link.outcome.read', 'an outcome that cannot be read is a failure', async () => {
  const { outcome, read } = reading()
  read.reject(new Error('broken'))
  expect(await outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
})
