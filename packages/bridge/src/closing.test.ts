import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { fetchAgain } from './closing.ts'

const body = (code: string, details: object) =>
  JSON.stringify({ id: '', ok: false, error: { code, message: 'm', details } })
const closing = { status: 503, text: body('agent_unavailable', { by: 'closing' }) }
const fine = { status: 200, text: '{"id":"1","ok":true,"result":{"by":"closing"}}' }
const noRunner = { status: 503, text: body('agent_unavailable', { hint: '{"by":"closing"}' }) }
const busy = { status: 429, text: body('rate_limited', { by: 'closing' }) }

verifies.each('leave.calls')([
  ['goes on from a closing host', [closing, closing, fine], 3, fine],
  ['gives up where there is no other', Array(9).fill(closing), 6, closing],
  ['sends nothing again that was done', [fine], 1, fine],
  ['sends nothing again that was refused for another reason', [noRunner], 1, noRunner],
  ['sends nothing again that was refused with another status', [busy], 1, busy],
])('%s', async (_name, answers, count, last) => {
  const clock = frozenClock()
  const left = [...answers]
  let sent = 0
  const ask = fetchAgain(async () => {
    sent += 1
    const { status, text } = left.shift() ?? fine
    return new Response(text, { status })
  }, clock)
  let response: Response | undefined
  void ask('/rpc', { signal: new AbortController().signal }).then((got) => {
    response = got
  })
  for (let turn = 0; turn < 200 && !response; turn += 1) await clock.advance(100)
  expect([sent, response?.status, await response?.text()]).toEqual([count, last.status, last.text])
  expect(clock.timers).toBe(0)
})

verifies('leave.calls', 'waits no longer than its caller', async () => {
  const caller = new AbortController()
  const ask = fetchAgain(async (_, init) => {
    init?.signal?.throwIfAborted()
    return new Response(closing.text, { status: closing.status })
  }, frozenClock())
  const asked = ask('/rpc', { signal: caller.signal })
  caller.abort(new Error('gone'))
  await expect(asked).rejects.toThrow('gone')
})
