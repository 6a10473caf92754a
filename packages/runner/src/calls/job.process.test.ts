import { verifies } from '@svc/conformance/verifies'
import type { Clock } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../port/log.ts'
import { openBed } from '../testing/bed.ts'

const clock = frozenClock()
const bed = openBed({ clock })
afterAll(() => bed.runner.close())

const fails = (code: string, details?: object) => ({ ok: false, code, ...(details && { details }) })
const gone = (runner = bed.runner) =>
  vi.waitFor(() => expect(runner.stats()).toMatchObject({ processes: 0, busy: 0 }), 10_000)
const started = (told: { readonly started: number }) => vi.waitFor(() => expect(told.started).toBe(1), 10_000)
const large = 262_144
const LINE = 2 ** 22

describe('a job', () => {
  verifies('stdio.call.context', 'tells the plugin its id and its deadline', async () => {
    const { outcome, told } = bed.job('params', { a: 1 }, { jobId: 'tjob_1', timeoutMs: 90_000 })
    await started(told)
    expect(await outcome).toMatchObject({
      payload: {
        name: 'params',
        args: { a: 1 },
        timeout: 90_000,
        deadline_ms: clock.now() + 90_000,
        context: { invoke_id: 'tjob_1' },
      },
    })
  })

  verifies(
    'wall.plugin.job',
    'has a process of its own that takes no place of a call and is not used again',
    async () => {
      const own = openBed({ limits: { POOL_PER_PLUGIN: 1, POOL_PER_RUNNER: 1 } })
      const jobs = [own.job('hang'), own.job('hang')]
      const warm = await own.call('where')
      expect(own.runner.stats()).toMatchObject({ processes: 3, busy: 2, waiting: 0 })
      const [first, second] = [await own.job('where').outcome, await own.job('where').outcome]
      const folders = [warm, first, second].map((one) => one.ok && (one.payload as { cwd: string }).cwd)
      expect(new Set(folders).size).toBe(3)
      await own.runner.close()
      for (const { outcome } of jobs)
        expect(await outcome).toMatchObject(fails('agent_unavailable', { retriable: true }))
      expect(own.runner.stats()).toMatchObject({ processes: 0, busy: 0 })
    },
  )

  it.each([
    ['an object', 'echo', { a: 1 }, { ok: true, payload: { a: 1 } }],
    [
      'a failure',
      'result',
      { value: { success: false, error: 'no' } },
      fails('tool_failed', { error: 'no' }),
    ],
    ['an error', 'error', { value: { code: 1, message: 'bad' } }, fails('plug_error', { code: 1 })],
    ['no object', 'result', { value: 5 }, fails('plug_unavailable')],
    ['an exit', 'exit', { code: 3 }, fails('plug_error', { exit_code: 3, signal: null })],
    ['a crash', 'crash', {}, fails('plug_error', { signal: 'SIGSEGV' })],
    ['a result that is nested too deep', 'deep', { depth: 2_000 }, fails('plug_unavailable')],
  ])('ends as %s', async (_, tool, args, expected) => {
    expect(await bed.job(tool, args).outcome).toMatchObject(expected)
  })

  it('counts noise and reads on', async () => {
    const before = bed.runner.stats().noise
    expect(await bed.job('line', { line: 'debug: hello' }).outcome).toMatchObject({ ok: true })
    expect(bed.runner.stats().noise).toBe(before + 1)
  })
})

describe('what never starts', () => {
  const missing = { plugin: { id: 'x', version: '1', command: ['no-such-program'] } }
  it.each([
    ['is cancelled already', { signal: AbortSignal.abort() }, fails('cancelled')],
    ['is late already', { timeoutMs: 0 }, fails('tool_timeout')],
    ['has no program', missing, fails('plug_unavailable')],
    ['has a line over the cap', { args: { text: 'x'.repeat(16_777_216) } }, fails('frame_too_large')],
  ])('what %s', async (_, more, expected) => {
    const { outcome, told } = bed.job('echo', {}, more)
    expect(await outcome).toMatchObject(expected)
    expect(told.started).toBe(0)
    await gone()
  })

  it('what comes after the end of the runner', async () => {
    const own = openBed()
    await own.runner.close()
    expect(await own.job('echo').outcome).toMatchObject(fails('agent_unavailable', { retriable: true }))
  })
})

describe('the result', () => {
  // Of a line longer than any that could hold the cap only the beginning is kept.
  it.each([
    ['exactly the cap', 'payload', { bytes: large }, { ok: true, bytes: large }],
    ['one byte more', 'payload', { bytes: large + 1 }, fails('result_too_large', { size: large + 1 })],
    ['a line of 2 MiB', 'sized', { bytes: 2 ** 21 }, fails('result_too_large', { size: 2 ** 21 })],
  ])('%s', async (_, tool, args, expected) => {
    expect(await bed.job(tool, args).outcome).toMatchObject(expected)
  })

  // One of 16 MiB is in the tests of tools of the host.
  it.each([
    ['the longest line', LINE, fails('result_too_large', { size: LINE })],
    ['a longer line', LINE + 1, fails('frame_too_large', { max_frame_bytes: LINE })],
  ])('%s', async (_, bytes, expected) => {
    const own = openBed({ clock, limits: { LINE_MAX_BYTES: LINE } })
    expect(await own.job('sized', { bytes }).outcome).toMatchObject(expected)
    await own.runner.close()
  })

  it('may be written with escapes', async () => {
    const text = `{"id":$ID,"result":{"output":"${'\\u0061'.repeat(large - 2)}"}}\n`
    expect(await bed.job('raw', { text }).outcome).toMatchObject({ ok: true, bytes: large })
  })
})

describe('what it tells', () => {
  it('heartbeats, every five seconds until its outcome', async () => {
    const { outcome, told } = bed.job('hang')
    await started(told)
    await clock.advance(4_999)
    expect(told.beats).toBe(0)
    await clock.advance(1)
    expect(told.beats).toBe(1)
    await clock.advance(100_000)
    expect(told.beats).toBe(11)
    expect(await outcome).toMatchObject(fails('tool_timeout'))
    expect(clock.timers).toBe(0)
  })

  verifies(['stdio.progress', 'job.progress.size'], 'progress that is not too large', async () => {
    const { outcome, told } = bed.job('progress', { sizes: [10, 8_192, 8_193, 100_000, 5_000_000, 20] })
    expect(await outcome).toMatchObject({ ok: true })
    expect(told.progress).toEqual(
      [10, 8_192, 20].map((bytes) => ({ type: 'progress', json: JSON.stringify('x'.repeat(bytes - 2)) })),
    )
    expect(told.dropped).toBe(3)
  })

  verifies('job.progress.rate', 'no more progress than may come in a moment', async () => {
    const { outcome, told } = bed.job('progress', { sizes: Array(200).fill(10) })
    expect(await outcome).toMatchObject({ ok: true })
    expect([told.progress.length, told.dropped]).toEqual([50, 150])
  })

  it('nothing after its outcome', async () => {
    const { outcome, told } = bed.job('lateProgress')
    await outcome
    await gone()
    expect([told.progress, told.dropped]).toEqual([[], 0])
  })
})

describe('an end from outside', () => {
  verifies(
    'stdio.cancel',
    'is told to the plugin with its reason; the outcome waits for no process',
    async () => {
      const told: string[] = []
      const log = { ...silentLog, info: (_: object, message: string) => void told.push(message) }
      const own = openBed({ clock, log })
      // What was only started may not have read its call by the time that it is killed.
      for (const [end, reason] of [
        ['enough', 'enough'],
        [undefined, 'cancelled'],
      ]) {
        const { outcome, there, cancel } = own.job('patient')
        await there
        cancel(end)
        expect(await outcome).toMatchObject(fails('cancelled'))
        expect(own.runner.stats()).toMatchObject({ processes: 1, busy: 0 })
        await vi.waitFor(() => expect(told).toContain(`cancelled: ${reason}`), 10_000)
        await gone(own.runner)
      }
      const { outcome, there } = own.job('patient', {}, { timeoutMs: 1_000 })
      await there
      await clock.advance(1_000)
      expect(await outcome).toMatchObject(fails('tool_timeout'))
      await vi.waitFor(() => expect(told).toContain('cancelled: timeout'), 10_000)
      await gone(own.runner)
      await own.runner.close()
    },
  )

  it('wins over an answer that comes with it or later', async () => {
    // A clock whose timers never ring, and at whose deadline the job begins: its answer is judged by the time alone.
    let begun = () => false
    const still: Clock = { now: () => (begun() ? 1_000 : 0), setTimer: () => () => {} }
    const own = openBed({ clock: still })
    const { outcome, told } = own.job('echo', {}, { timeoutMs: 1_000 })
    begun = () => told.started > 0
    expect(await outcome).toMatchObject(fails('tool_timeout'))
    expect(told.started).toBe(1)
    await own.runner.close()
  })
})
