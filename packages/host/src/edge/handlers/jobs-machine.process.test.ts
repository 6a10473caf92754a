import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { JobSnapshot, JobState, RpcResponse } from '@svc/contract'
import { connectRunner, type RemoteRunner } from '@svc/runner'
import { pino } from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import { answered, type TestRunner, testRunner } from '../../testing/jobs-runner.ts'

const log = pino({ level: 'silent' })
const TOOLS = [{ name: 'all', description: 'Builds.', parameters: [] }]

let services: TestHost
let window: TestWindow
let toolId: string
let token: string
let runnerId: string
let url: string
let stateDir: string
const machines: RemoteRunner[] = []

beforeEach(async () => {
  stateDir = mkdtempSync(path.join(tmpdir(), 'svc-jobs-machine-'))
  services = await openTestHost({ runner: null, limits: { JOBS_RUNNING_PER_RUNNER: 1, RUNNER_QUEUE_MAX: 4 } })
  const { publishing, runners } = services.host
  const made = await publishing.create('ada', {
    name: 'Build',
    type: 'tool',
    manifest: { name: 'build', tools: TOOLS },
    distribution: { type: 'npm', package_name: 'build', version: '1.0.0' },
  })
  toolId = made.tool_id
  await services.pushDraft({ required_plugs: [toolId] })
  window = await services.openWindow()
  const enrolled = await runners.enrol('ada', { name: 'A laptop' })
  ;({ token, runner_id: runnerId } = enrolled)
  url = `http://127.0.0.1:${(await services.host.listen(0)).port}`
})
afterEach(async () => {
  await Promise.all(machines.splice(0).map((machine) => machine.close()))
  await services.close()
  rmSync(stateDir, { recursive: true })
})

/** Ada's machine, whose plugins do what the test says; resolves when the plugin is there. */
async function connect(): Promise<{ runner: TestRunner; machine: RemoteRunner }> {
  const runner = testRunner()
  const machine = connectRunner({
    url,
    token,
    log,
    stateDir,
    runner: { ...runner, departed: async () => {} },
  })
  machines.push(machine)
  await expect.poll(async () => (await tools())[0]?.status).toBe('available')
  return { runner, machine }
}
const resultOf = <T>(answer: RpcResponse) => {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.result as T
}
const tools = async () => resultOf<{ tools: { status: string }[] }>(await window.call('tools', 'list')).tools
const invoke = () => window.call('tools', 'invokeAsync', { tool_id: toolId, method: 'all' })
const start = async () => resultOf<{ jobId: string }>(await invoke()).jobId
const read = async (jobId: string) => resultOf<JobSnapshot>(await window.call('tools', 'getJob', { jobId }))
const comesTo = (jobId: string, state: JobState) =>
  expect.poll(async () => (await read(jobId)).state).toBe(state)

const isStarted = (runner: TestRunner, jobId: string) =>
  expect.poll(() => runner.started.map((job) => job.jobId)).toContain(jobId)

verifies(
  [
    'decision.runner.job_lost',
    'decision.runner.job_waits',
    'decision.runner.job_back',
    'decision.runner.none_async',
  ],
  'a job runs on the machine of its user; as that goes one fails, the other waits, and starts when it is back',
  async () => {
    expect(await invoke()).toMatchObject({ ok: false, error: { code: 'agent_unavailable' } })
    const first = await connect()
    const [runs, waits] = [await start(), await start()]
    await isStarted(first.runner, runs)
    first.runner.of(runs).tell({ half: true })
    await expect.poll(async () => (await read(runs)).lastSeq).toBe(1)
    await first.machine.close()
    await comesTo(runs, 'failed')
    expect((await read(runs)).error).toMatchObject({
      code: 'agent_unavailable',
      details: { retriable: true },
    })
    expect((await read(waits)).state).toBe('queued')
    expect(await invoke()).toMatchObject({ ok: false, error: { code: 'agent_unavailable' } })

    const { runner } = await connect()
    await isStarted(runner, waits)
    runner.of(waits).end(answered({ built: true }))
    await comesTo(waits, 'succeeded')
    expect((await read(waits)).result).toEqual({ built: true })
    expect([first.runner.started.length, runner.started.length]).toEqual([1, 1])
  },
)

verifies(
  'decision.runner.job_revoked',
  'as a machine is revoked what it ran and what waited for it fails',
  async () => {
    const { runner } = await connect()
    const [runs, waits] = [await start(), await start()]
    await isStarted(runner, runs)
    await services.host.runners.revoke('ada', runnerId)
    for (const jobId of [runs, waits])
      expect(await read(jobId)).toMatchObject({ state: 'failed', error: { code: 'agent_unavailable' } })
    await expect.poll(() => runner.of(runs).signal.aborted).toBe(true)
    expect(runner.started).toHaveLength(1)
  },
)
