import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { someRows } from '@svc/conformance/testing/some-rows'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type IsolatorName, isolators } from './isolation/isolators.ts'
import { silentLog } from './port/log.ts'
import { leftAfter, marked, openBed } from './testing/bed.ts'
import { needsIsolator, someIsolators } from './testing/some-isolators.ts'
import { trees } from './testing/trees.ts'

/** From the moment the caller has its answer until nothing is left. */
const GONE_MS = 1_500

/** Traces a process (PTRACE_SEIZE) and never waits for it. */
const TRACES = `
import ctypes, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long] * 4
print(libc.ptrace(0x4206, int(sys.argv[1]), 0, 0), flush=True)
time.sleep(60)
`

/** One death of a tree may bring the next: who is gone already is not an error. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const faults: [string, string, Record<string, unknown>, string][] = [
  ['hangs', 'hang', {}, 'tool_timeout'],
  ['ignores SIGTERM, SIGINT and SIGHUP', 'stubborn', {}, 'tool_timeout'],
  ['stops itself', 'stopped', {}, 'tool_timeout'],
  ['is noisy', 'endless', { line: 'noise' }, 'tool_timeout'],
  ['exits at once', 'exit', { code: 1 }, 'plug_error'],
  ['crashes', 'crash', {}, 'plug_error'],
  ['leaves a grandchild in a session of its own', 'setsid', {}, 'tool_timeout'],
  ['leaves an orphan', 'doubleFork', {}, 'tool_timeout'],
  ['leaves an orphan and exits', 'doubleFork', { exit: true }, 'plug_error'],
  ['leaves its pipes to a grandchild and exits', 'holdPipe', {}, 'plug_error'],
  ['forks fifty children', 'bomb', {}, 'tool_timeout'],
]

/** They wait for the most part. */
const beside = { concurrent: true }

describe.each(someIsolators)('kept together by %s', (isolator) => {
  beforeEach(({ skip }) => {
    skip(process.platform !== 'linux', 'what is left is looked for in /proc: Linux alone has it')
    needsIsolator(isolator, skip)
  })

  it.each(faults)(
    'a plugin that %s gets its code and leaves nothing',
    beside,
    async (_, tool, args, code) => {
      const bed = openBed({ isolator })
      const outcome = await bed.call(tool, args, { timeoutMs: code === 'tool_timeout' ? 1_500 : 10_000 })
      expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
      expect(outcome).toMatchObject({ ok: false, code })
      await bed.runner.close()
    },
  )

  it('a plugin killed in mid-call is told as such', async () => {
    const bed = openBed({ isolator })
    const call = bed.call('hang')
    await bed.call('echo', {}, { userId: 'someone else' })
    for (const pid of marked(bed.mark)) killIfThere(pid)
    expect(await call).toMatchObject({ ok: false, code: 'plug_error', details: { signal: 'SIGKILL' } })
    await bed.runner.close()
    expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
  })

  it('closing ends calls under way and everything they started', async () => {
    const bed = openBed({ isolator })
    await bed.call('setsid', { answer: true })
    const calls = [bed.call('hang'), bed.call('stubborn')]
    await bed.runner.close()
    for (const outcome of await Promise.all(calls))
      expect(outcome).toMatchObject({ ok: false, code: 'agent_unavailable', details: { retriable: true } })
    expect(bed.runner.stats()).toMatchObject({ processes: 0, busy: 0, waiting: 0 })
    expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
    expect(await bed.call('echo')).toMatchObject({ ok: false, code: 'agent_unavailable' })
  })

  verifies.each(['job.cancel.kill', 'wall.plugin.tree'])(trees)(
    'a job with %s is cancelled and leaves nothing',
    beside,
    async (_, tool, args) => {
      const bed = openBed({ isolator })
      const { outcome, there, cancel } = bed.job(tool, args)
      await there
      cancel('enough')
      expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
      expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
      await bed.runner.close()
    },
  )

  verifies.each('wall.plugin.tree')(someRows(trees, 4))(
    'a job with %s is late and leaves nothing',
    beside,
    async (_, tool, args) => {
      const clock = frozenClock()
      const bed = openBed({ isolator, clock })
      const { outcome, there, told } = bed.job(tool, args, { timeoutMs: 2_000 })
      await there
      await clock.advance(2_000)
      expect(await outcome).toMatchObject({ ok: false, code: 'tool_timeout' })
      expect(told.progress).toHaveLength(1)
      expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
      await bed.runner.close()
    },
  )

  describe.each(['SIGTERM', 'SIGKILL'] as const)('the host is ended by %s', (signal) => {
    verifies.each('wall.plugin.dies_with_host')(someRows(trees, 4))(
      'a call and a job with %s leave nothing',
      beside,
      async (_, tool, args) => {
        const { host, mark } = await openLoneHost(isolator, tool, args)
        expect(marked(mark).length).toBeGreaterThan(0)
        host.kill(signal)
        expect(await leftAfter(mark, GONE_MS)).toEqual([])
      },
    )
  })
})

verifies('wall.plugin.survivor', 'what outlives its kill is told by its pid', async ({ skip }) => {
  const [isolator = 'plain'] = someIsolators
  skip(!isolators[isolator].endsAll, 'this machine has no namespace whose end could be awaited')
  const told: object[] = []
  const log = { ...silentLog, warn: (fields: object) => void told.push(fields) }
  const bed = openBed({ isolator, log })
  const { outcome, there, cancel } = bed.job('child', {})
  await there
  // A process that another one traces is not gone until that one has looked: its namespace waits for it.
  const tracer = spawn('python3', ['-c', TRACES, String(Math.max(...marked(bed.mark)))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(tracer.stdout, 'data')
  cancel('enough')
  expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' })
  await vi.waitFor(
    () => expect(told).toMatchObject([{ event: 'plugin_survived', pid: expect.any(Number) }]),
    10_000,
  )
  tracer.kill('SIGKILL')
  await once(tracer, 'exit')
  await bed.runner.close()
  expect(await leftAfter(bed.mark, GONE_MS)).toEqual([])
})

/** A host of its own, once the tree of its job stands. */
async function openLoneHost(isolator: IsolatorName, tool: string, args: object) {
  const mark = randomUUID()
  const script = new URL('./testing/lone-host.ts', import.meta.url).pathname
  const host = spawn(process.execPath, [script, isolator, mark, tool, JSON.stringify(args)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((ready) => host.stdout.once('data', ready))
  return { host, mark }
}
