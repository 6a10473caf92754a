import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunner, type JobInput, type JobProgress } from '@svc/runner'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { verifies } from './verifies.ts'

const MiB = 1_048_576
/** How much progress of a job is let through. */
const PER_SECOND = 50
/** For how long a plugin may clean up that a busy machine may keep from it for more than half a second. */
const PATIENT = { CANCEL_KILL_MS: 10_000 }
/** From the outcome to the end of the process: that patience, and the kill. */
const GONE_MS = 20_000

const folder = mkdtempSync(join(tmpdir(), 'svc-plugin-jobs-'))
const told: string[] = []
const log = { debug() {}, warn() {}, info: (_: object, message: string) => void told.push(message) }
const runner = createRunner({ log })
const patient = createRunner({ log, limits: PATIENT })
const script = new URL('./testing/tidy-plugin.ts', import.meta.url).pathname
let jobs = 0
afterAll(async () => {
  await Promise.all([runner.close(), patient.close()])
  rmSync(folder, { recursive: true })
})

function start(tool: string, more: Partial<JobInput> = {}, on = runner) {
  const file = join(folder, `${++jobs}`)
  const controller = new AbortController()
  const progress: JobProgress[] = []
  const timeoutMs = more.timeoutMs ?? 60_000
  const { promise: there, resolve } = Promise.withResolvers<void>()
  const outcome = on.job({
    userId: 'ada',
    plugin: { id: 'tidy', version: '1', command: ['node', script] },
    tool,
    args: { file },
    jobId: `tjob_${jobs}`,
    timeoutMs,
    deadlineMs: Date.now() + timeoutMs,
    maxResultBytes: 262_144,
    signal: controller.signal,
    onProgress(one) {
      progress.push(one)
      resolve()
    },
    onStarted() {},
    onDropped() {},
    onHeartbeat() {},
  })
  return { outcome, progress, there, file, cancel: (reason: string) => controller.abort(reason) }
}

/** How long the plugin takes to begin, on this machine as it is now. */
async function beginsInMs(): Promise<number> {
  const from = performance.now()
  const { outcome, there, cancel } = start('tidies')
  await there
  const took = performance.now() - from
  cancel('it has begun')
  await outcome
  return Math.ceil(took)
}

/** What the plugin left in its file, once its process is gone. */
async function left(file: string): Promise<string | undefined> {
  const processes = () => runner.stats().processes + patient.stats().processes
  await vi.waitFor(() => expect(processes()).toBe(0), GONE_MS)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

describe('a tool that waits for its signal', () => {
  verifies(
    ['stdio.cancel', 'stdio.progress'],
    'hears why its job is cancelled and has time to clean up',
    async () => {
      const { outcome, there, file, cancel } = start('tidies', {}, patient)
      await there
      cancel('the user changed her mind')
      expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
      expect(await left(file)).toBe('the user changed her mind')
    },
  )

  it('hears of the deadline and has time to clean up', async () => {
    const { outcome, file } = start('tidies', { timeoutMs: 1_000 + 4 * (await beginsInMs()) }, patient)
    expect(await outcome).toMatchObject({ ok: false, code: 'tool_timeout' })
    expect(await left(file)).toMatch(/^timeout$|^TimeoutError: The deadline of the call has passed/)
  })

  it('hears it while it tells more than anyone reads', async () => {
    const { outcome, there, file, cancel } = start('tells', {}, patient)
    await there
    cancel('enough')
    expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
    expect(await left(file)).toBe('enough')
  })
})

describe('progress', () => {
  verifies('job.progress.rate', 'of ten thousand events at once costs the plugin little memory', async () => {
    const from = performance.now()
    const { outcome, progress } = start('bursts')
    const ended = await outcome
    const seconds = (performance.now() - from) / 1_000
    expect(ended).toMatchObject({ ok: true })
    expect(ended.ok && ended.payload).toBeLessThan(64 * MiB)
    expect(progress.length).toBeGreaterThanOrEqual(PER_SECOND)
    // The first second's may come at once, and a busy machine may take more than one for the rest.
    expect(progress.length).toBeLessThanOrEqual(PER_SECOND * (1 + seconds))
    expect(told.join()).toContain('it comes faster than the host reads it')
  })

  it('that JSON cannot hold is logged and ends nothing', async () => {
    const { outcome, progress } = start('mumbles')
    expect(await outcome).toMatchObject({ ok: true, payload: 'fine' })
    expect(progress).toEqual([{ type: 'progress', json: '"after all"' }])
    expect(told.join()).toContain('JSON cannot hold it')
  })
})
