import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createRunner } from '../runner.ts'
import { openBed } from '../testing/bed.ts'
import { type IsolationOption, isolate } from './isolate.ts'
import { openKeeper } from './keeper.ts'

const { ISOLATION_PROBE_MS } = limits

/** A PATH of its own, so that nothing is known of it yet. */
describe.each([
  ['with the programs of this machine', (folder: string) => `${folder}:${process.env.PATH}`],
  ['without programs', (folder: string) => folder],
])('%s', (_, pathOf) => {
  const { PATH } = process.env
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-keeper-'))
    mkdirSync(join(folder, 'bin'))
    process.env.PATH = pathOf(join(folder, 'bin'))
  })
  afterEach(() => {
    process.env.PATH = PATH
    rmSync(folder, { recursive: true })
  })

  it.each<[IsolationOption]>([['auto'], ['required'], ['none']])(
    'isolation %s: the answer is the same whether a thread waits for it or not',
    async (isolation) => {
      const keeper = openKeeper({ isolation }, ISOLATION_PROBE_MS)
      expect(keeper.isReady()).toBe(false)
      await keeper.ready()
      expect(keeper.isReady()).toBe(true)
      const ahead = keeper.now()
      process.env.PATH = `${process.env.PATH}:${folder}`
      expect(isolate(isolation, ISOLATION_PROBE_MS)).toEqual(ahead.isolation)
      expect(openKeeper({ isolation }, ISOLATION_PROBE_MS).now()).toEqual(ahead)
    },
  )

  it('who needs it before that waits with the thread', () => {
    const { isolation } = openKeeper({}, ISOLATION_PROBE_MS).now()
    expect(isolation).toEqual(isolate('auto', ISOLATION_PROBE_MS))
  })
})

describe('on a machine without bubblewrap', () => {
  const { PATH } = process.env
  beforeEach(() => {
    process.env.PATH = mkdtempSync(join(tmpdir(), 'svc-keeper-'))
  })
  afterEach(() => {
    rmSync(process.env.PATH ?? '', { recursive: true })
    process.env.PATH = PATH
  })

  verifies.each('wall.plugin.required')([['install'], ['describe']] as const)(
    '%s of a new runner waits for the answer and is refused',
    async (what) => {
      const runner = createRunner()
      onTestFinished(() => runner.close())
      const distribution = { type: 'npm', package_name: 'nothing' } as const
      const outcome = await runner[what]({ id: 'tool-published', version: '1.0.0', distribution })
      expect(outcome).toMatchObject({
        code: 'plug_unavailable',
        message:
          'tool-published is not started: this machine cannot isolate plugins: bubblewrap does not work (spawnSync bwrap ENOENT).',
      })
    },
  )

  it('a runner that is closed at once starts nothing that waited for the answer', async () => {
    const runner = createRunner({ isolation: 'none' })
    const outcome = runner.describe({ id: 'tool-own', version: '1.0.0', command: ['node', '-e', ''] })
    await runner.close()
    expect(await outcome).toMatchObject({ ok: false, code: 'agent_unavailable' })
  })
})

it('waits for no program that outlives its time, nor for what that one started', async () => {
  const { PATH } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'svc-keeper-'))
  const started = join(folder, 'started')
  process.env.PATH = folder
  writeFileSync(started, '')
  try {
    for (const name of ['bwrap', 'unshare', 'prlimit'])
      writeFileSync(join(folder, name), `#!/bin/sh\n/bin/sleep 600 &\necho $! >> ${started}\nwait\n`, {
        mode: 0o755,
      })
    const keeper = openKeeper({ isolation: 'auto' }, 200)
    await keeper.ready()
    expect(keeper.now().isolation.problem).toMatch(/bwrap.*ETIMEDOUT/)
    await keeper.close()
  } finally {
    process.env.PATH = PATH
    for (const pid of readFileSync(started, 'utf8').split('\n').filter(Boolean)) process.kill(Number(pid))
    rmSync(folder, { recursive: true })
  }
})

it('a call, a description or an install waits for the answer no longer than it may', async () => {
  const { PATH } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'svc-keeper-'))
  const hold = join(folder, 'hold')
  process.env.PATH = folder
  writeFileSync(hold, '')
  try {
    for (const name of ['bwrap', 'unshare', 'prlimit'])
      writeFileSync(join(folder, name), `#!/bin/sh\nwhile [ -e ${hold} ]; do /bin/sleep 0.02; done\n`, {
        mode: 0o755,
      })
    const clock = frozenClock()
    const bed = openBed({ clock })
    onTestFinished(() => bed.runner.close())
    const controller = new AbortController()
    const wait = { deadlineMs: clock.now() + 1_000 }
    const outcomes = [
      bed.call('echo', {}, { timeoutMs: 1_000 }),
      bed.job('echo', {}, { timeoutMs: 1_000 }).outcome,
      bed.runner.describe(bed.plugin(), wait),
      bed.runner.install(bed.plugin(), wait),
      bed.call('echo', {}, { signal: controller.signal }),
    ]
    clock.advance(1_000)
    controller.abort()
    expect(await Promise.all(outcomes)).toMatchObject([
      { code: 'tool_timeout', message: 'echo did not answer in 1000 ms.' },
      { code: 'tool_timeout', message: 'echo did not answer in 1000 ms.' },
      { code: 'plug_unavailable', details: { retriable: true } },
      { code: 'plug_unavailable', details: { retriable: true } },
      { code: 'cancelled' },
    ])
  } finally {
    process.env.PATH = PATH
    rmSync(folder, { recursive: true })
  }
})
