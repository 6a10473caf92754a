import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'
import { type AnyHost, codesOf, hear, ok, openAnyHost, thrice } from '../testing/any-host.ts'
import { answered } from '../testing/jobs-runner.ts'

const FROM_SAMPLING = '/copilot/app/sessions/from_sampling'

const opened: AnyHost[] = []
afterEach(async () => {
  for (const bed of opened.splice(0)) await bed.close()
})

async function open(options: Parameters<typeof openAnyHost>[0] = {}): Promise<AnyHost> {
  const bed = await openAnyHost(options)
  opened.push(bed)
  return bed
}

verifies('hosts.calls_end', 'a window that is closed at one host ends its calls at another', async () => {
  const bed = await open()
  const calling = bed.window.call('tools', 'invoke', { tool_id: 'build', method: 'wipe' })
  await expect.poll(() => bed.events('tool_approval')).toHaveLength(1)
  await bed.json(`/api/v1/svc-apps/windows/${bed.window.windowUuid}`, 'DELETE')
  expect(await calling).toMatchObject({ ok: false, error: { code: 'cancelled' } })
})

verifies('hosts.runs', 'a run is read, joined, repeated and cancelled through any host', async () => {
  const bed = await open()
  const { call } = bed.window
  const { app_session_uuid } = await ok(call('agent', 'session.create', { submode: 'auto' }))
  const run_id = '11111111-1111-4111-8111-111111111111'
  const args = { app_session_uuid, run_id, content: 'hi' }
  const started = await bed.everywhere(() => ok(call('agent', 'session.run', args)))
  expect(new Set(started.map(({ stream_id }) => stream_id)).size).toBe(1)
  await expect.poll(() => bed.model.talks.length).toBe(1)
  const [talk] = bed.model.talks
  const heard = await hear(bed, undefined, (text) => text.includes('"end"'))
  talk?.say('one', 'two')
  expect(await ok(call('agent', 'session.cancel', { app_session_uuid, run_id }))).toEqual({ cancelled: true })
  const { text } = await heard.done
  expect(text).toContain('one')
  expect(text).toContain('task_cancelled')
  await ok(call('agent', 'session.refresh', { app_session_uuid }))
  const next = await ok(call('agent', 'session.run', { app_session_uuid, content: 'more' }))
  await expect.poll(() => bed.model.talks.length).toBe(2)
  await ok(call('agent', 'session.delete', { app_session_uuid }))
  await expect.poll(() => bed.model.open()).toEqual([])
  expect(next.run_id).not.toBe(run_id)
  expect(await codesOf(bed, () => call('agent', 'session.run', args))).toEqual(thrice('APP_SESSION_REVOKED'))
})

verifies('hosts.jobs', 'a job is read, listed and cancelled through any host', async () => {
  const bed = await open()
  const { call } = bed.window
  const { jobId } = await ok<{ jobId: string }>(
    call('tools', 'invokeAsync', { tool_id: 'build', method: 'all' }),
  )
  await expect.poll(() => bed.runners.flatMap(({ started }) => started).length).toBe(1)
  const [job] = bed.runners.flatMap(({ started }) => started)
  job?.tell({ at: 1 })
  await expect.poll(async () => (await ok(call('tools', 'getJob', { jobId }))).lastSeq).toBe(1)
  const got = await bed.everywhere(() => ok(call('tools', 'getJob', { jobId })))
  expect(got).toMatchObject(thrice({ state: 'running', progress: [{ data: { at: 1 } }] }))
  const lists = await bed.everywhere(() => ok<{ jobs: unknown[] }>(call('tools', 'listJobs')))
  expect(lists.map(({ jobs }) => jobs.length)).toEqual([1, 1, 1])
  const cancels = await bed.everywhere(() =>
    ok<{ cancelled: boolean }>(call('tools', 'cancelJob', { jobId, reason: 'enough' })),
  )
  expect(cancels.map(({ cancelled }) => cancelled)).toEqual([true, false, false])
  await expect.poll(() => job?.signal.aborted).toBe(true)
})

verifies('hosts.approvals', 'a yes given at one host lets calls at the others go on', async () => {
  const bed = await open()
  const wipe = () => bed.window.call('tools', 'invoke', { tool_id: 'build', method: 'wipe' })
  const answer = async (said: string) => {
    const { approval_id } = (await bed.events('tool_approval')).at(-1)
    await bed.json(`/api/v1/svc-apps/approvals/${approval_id}`, 'POST', { answer: said })
  }
  const one = wipe()
  await expect.poll(() => bed.events('tool_approval')).toHaveLength(1)
  await answer('once')
  expect(await one).toMatchObject({ ok: true })
  const all = Array.from({ length: 3 }, wipe)
  await expect.poll(() => bed.events('tool_approval')).toHaveLength(4)
  await answer('always')
  expect(await Promise.all(all)).toMatchObject(thrice({ ok: true }))
  expect(await codesOf(bed, wipe)).toEqual(thrice('ok'))
})

verifies(
  'hosts.subcalls',
  'a sampling token, and the session that it made, are good at every host',
  async () => {
    const bed = await open()
    const order = { kind: 'agent', agent_submode: 'auto' }
    const made: string[] = []
    const invoke = () => ok(bed.window.call('tools', 'invoke', { tool_id: 'build', method: 'all' }))
    let token = ''
    bed.calls.serve = async ({ subcalls }) => {
      token = subcalls?.samplingToken ?? ''
      for (const _ of bed.hosts.all) {
        const body = { sampling_token: token, ...order }
        made.push(
          (await bed.json<{ app_session_uuid: string }>(FROM_SAMPLING, 'POST', body)).app_session_uuid,
        )
      }
      return answered({})
    }
    await invoke()
    expect(new Set(made).size).toBe(3)
    const late = await bed.everywhere(() =>
      bed.send(FROM_SAMPLING, 'POST', { sampling_token: token, ...order }),
    )
    expect(late.map(({ status }) => status)).toEqual([401, 401, 401])
    bed.calls.serve = async ({ subcalls }) =>
      answered(
        await subcalls?.onRequest(
          'agent/session.cancel',
          { app_session_uuid: made[0] },
          new AbortController().signal,
        ),
      )
    expect(await bed.everywhere(invoke)).toEqual(thrice({ result: { cancelled: false } }))
  },
)

verifies('hosts.caps', 'caps and quotas of a user hold over all hosts together', async () => {
  const bed = await open({
    limits: { WINDOWS_OPEN_MAX: 3, JOBS_ACTIVE_PER_USER: 2 },
    quotas: { runs_per_day: 2 },
  })
  const opened = await Promise.allSettled(Array.from({ length: 6 }, () => bed.openWindow()))
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const { call } = bed.window
  const jobs = Array.from({ length: 6 }, () =>
    call('tools', 'invokeAsync', { tool_id: 'build', method: 'all' }),
  )
  expect((await Promise.all(jobs)).filter((answer) => answer.ok)).toHaveLength(2)
  const { app_session_uuid } = await ok(call('agent', 'session.create', { submode: 'auto' }))
  const runs = Array.from({ length: 6 }, () =>
    call('agent', 'session.run', { app_session_uuid, content: 'x' }),
  )
  expect((await Promise.all(runs)).filter((answer) => answer.ok)).toHaveLength(2)
})
