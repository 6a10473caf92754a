import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import type { JobSnapshot } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterAll, beforeAll, expect } from 'vitest'

const clock = frozenClock(Date.UTC(2030, 0, 1))
/** Processes start and end in their own time, on a busy machine too. */
const PATIENT = { timeout: 10_000, interval: 10 }
let services: ToolHost

beforeAll(async () => {
  services = await openToolHost({ clock })
})
afterAll(() => services.close())

/** Starts a job of the odd plugin, in a window of its own, because tokens age as time is moved. */
async function start(method: string, args: unknown = {}, timeoutMs = 60_000) {
  const window = await services.openWindow()
  const call = async <T>(name: string, given: unknown): Promise<T> => {
    const answer = await window.call('tools', name, given)
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
    return answer.result as T
  }
  const order = { tool_id: 'odd', method, args, timeoutMs }
  const { jobId } = await call<{ jobId: string }>('invokeAsync', order)
  const read = () => call<JobSnapshot>('getJob', { jobId })
  const reaches = (state: string) => expect.poll(async () => (await read()).state, PATIENT).toBe(state)
  return { jobId, call, read, reaches }
}

verifies(
  ['job.snapshot.invoke_id', 'decision.job.deadline'],
  'a plugin reads the id and the deadline of its job, and its answer is the result',
  async () => {
    const { jobId, read, reaches } = await start('echo', { a: 1 }, 90_000)
    await reaches('succeeded')
    expect((await read()).result).toEqual({
      name: 'echo',
      args: { a: 1 },
      timeout: 90_000,
      deadline_ms: clock.now() + 90_000,
      context: { invoke_id: jobId },
    })
  },
)

verifies(
  ['decision.progress.numbers', 'decision.progress.dropped', 'job.snapshot.progress'],
  'what a plugin tells on its way is read with the job, and what is too much is counted',
  async () => {
    const file = join(services.folder, 'go-on')
    const { read, reaches } = await start('tell', { steps: 60, file })
    await expect.poll(async () => (await read()).progressDropped, PATIENT).toBe(10)
    const { state, lastSeq, progress } = await read()
    expect([state, lastSeq, progress.length]).toEqual(['running', 50, 50])
    expect(progress[0]).toEqual({ seq: 1, type: 'step', data: { step: 1 } })
    writeFileSync(file, '')
    await reaches('succeeded')
  },
)

const MAX = 262_144
verifies.each(['job.result.cap', 'decision.caps.async'])([
  [MAX, 'succeeded', undefined],
  [MAX + 1, 'failed', { size: MAX + 1, max: MAX, retriable: false }],
])('with a result of %i bytes a job has %s', async (bytes, state, details) => {
  const { read, reaches } = await start('size', { bytes })
  await reaches(state)
  expect((await read()).error?.details).toEqual(details)
})

verifies.each(['job.failure.error'])([
  ['reply', { reply: { result: { success: false, error: 'no' } } }, 'tool_failed', { error: 'no' }],
  ['reply', { reply: { error: { code: -1, message: 'bad' } } }, 'plug_error', { code: -1, message: 'bad' }],
  ['exit', { code: 7 }, 'plug_error', { exit_code: 7, signal: null }],
])('%s %j is a failure of the code %s', async (method, args, code, details) => {
  const { read, reaches } = await start(method, args)
  await reaches('failed')
  expect((await read()).error).toMatchObject({ code, details })
})

verifies(
  ['job.expire.cancels', 'job.expire.error'],
  'a job at its deadline is expired, told so, and its tree is gone',
  async () => {
    const { jobId, read, reaches } = await start('hang', { grandchild: true })
    const calls = () => services.read().filter(({ id, method }) => id === jobId && method === 'call')
    await expect.poll(() => calls().length, PATIENT).toBe(1)
    await clock.advance(60_000)
    await reaches('expired')
    expect((await read()).error?.code).toBe('tool_timeout')
    await expect
      .poll(() => services.read(), PATIENT)
      .toContainEqual({ jsonrpc: '2.0', method: 'cancel', params: { id: jobId, reason: 'timeout' } })
    await expect.poll(() => services.processes().length, PATIENT).toBe(0)
  },
)

verifies(
  ['job.cancel.immediate', 'job.cancel.reason'],
  'a cancelled job reads so at once, and its process is told the reason',
  async () => {
    const { jobId, call, read } = await start('hang')
    const lines = () =>
      services.read().filter(({ id, params }) => (id ?? (params as { id: string }).id) === jobId)
    await expect.poll(() => lines().length, PATIENT).toBe(1)
    await call('cancelJob', { jobId, reason: 'enough' })
    expect(await read()).toMatchObject({
      state: 'cancelled',
      error: { code: 'cancelled', message: 'enough' },
    })
    await expect.poll(() => lines().at(-1)?.params, PATIENT).toEqual({ id: jobId, reason: 'enough' })
    await expect.poll(() => services.processes().length, PATIENT).toBe(0)
  },
)
