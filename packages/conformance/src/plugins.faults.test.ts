import { limits as defaults } from '@svc/contract'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { leftOf, slackMs } from './testing/processes.ts'
import { openToolHost, type ToolHost } from './testing/tool-host.ts'
import { openTurnMeter } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

/** From an answer to the end of every process that it leaves. */
const SURVIVES_MS = 1_500
/** For how long the host may keep a call waiting over others, in CPU time of its thread. */
const TURN_MAX_MS = 100
/** What takes longer on a busy machine never comes. */
const PATIENCE_MS = 60_000
/** Warm processes end soon, so that a process that is still there was forgotten. */
const limits = { POOL_IDLE_MS: 100, SYNC_GRACE_MS: 100 }
let testHost: ToolHost

beforeEach(async () => {
  testHost = await openToolHost({ limits })
})
afterEach(() => testHost.close())

const noneLeft = async () => expect(await leftOf(() => testHost.processes(), SURVIVES_MS)).toEqual([])

/** The plugin itself, without what holds its tree together. */
const plugin = () => testHost.processes().find(({ command }) => /^\S*node \S*odd-plugin\.ts$/.test(command))

describe('a plugin that', () => {
  verifies.each([
    'stdio.outcome.exit',
    'error.plug_error',
    'tools.invoke.timeout.reaped',
    'error.tool_timeout',
  ])([
    ['exits', 'exit', { code: 3 }, 'plug_error'],
    ['kills itself', 'die', {}, 'plug_error'],
    ['leaves a setsid grandchild behind and answers', 'orphan', {}, 'ok'],
    ['leaves a setsid grandchild behind and dies', 'abandon', {}, 'plug_error'],
    ['hangs', 'hang', {}, 'tool_timeout'],
    ['hangs with a setsid grandchild', 'hang', { grandchild: true }, 'tool_timeout'],
    ['makes noise before it answers', 'noisy', { lines: 5_000 }, 'ok'],
    ['makes noise without an end', 'flood', {}, 'tool_timeout'],
  ])(
    '%s is answered with its code, and none of its processes survives',
    async (_name, method, args, code) => {
      const started = performance.now()
      const timeoutMs = code === 'tool_timeout' ? 1_000 : PATIENCE_MS
      const answer = await testHost.invoke(method, args, { timeoutMs })
      expect(answer.ok ? 'ok' : answer.error.code).toBe(code)
      const tookMs = performance.now() - started
      expect(tookMs).toBeLessThan(1_000 + limits.SYNC_GRACE_MS + 1_000 + (await slackMs()))
      await noneLeft()
      expect((await testHost.invoke('echo')).ok).toBe(true)
    },
  )

  verifies(
    ['stdio.outcome.exit', 'error.plug_error'],
    'is killed in mid-call is plug_error at once',
    async () => {
      const call = testHost.invoke('hang', { grandchild: true })
      await expect
        .poll(() => testHost.read().some(({ method }) => method === 'call'), { timeout: PATIENCE_MS })
        .toBe(true)
      const pid = plugin()?.pid
      expect(pid).toBeDefined()
      process.kill(pid as number, 'SIGKILL')
      const killed = performance.now()
      expect(await call).toMatchObject({ error: { code: 'plug_error', details: { signal: 'SIGKILL' } } })
      const tookMs = performance.now() - killed
      expect(tookMs).toBeLessThan(1_000 + (await slackMs()))
      await noneLeft()
    },
  )
})

verifies(['design.lanes.quick'], 'five tools that hang leave the window its heartbeat', async () => {
  let left = 5
  const hanging = Array.from({ length: left }, async () => {
    const answer = await testHost.invoke('hang', {}, { timeoutMs: PATIENCE_MS })
    left -= 1
    return answer
  })
  // The last of them waits for a place in the pool.
  const called = () => testHost.read().filter(({ method }) => method === 'call').length
  await expect.poll(called, { timeout: PATIENCE_MS }).toBe(defaults.POOL_PER_PLUGIN)
  const meter = openTurnMeter()
  for (let beat = 0; beat < 20; beat++)
    expect((await testHost.window.call('window', 'heartbeat')).ok).toBe(true)
  expect(left).toBe(5)
  expect(meter.longestMs()).toBeLessThan(TURN_MAX_MS)
  meter.close()
  await testHost.runner.close()
  for (const answer of await Promise.all(hanging)) expect(answer.ok).toBe(false)
  await noneLeft()
})

verifies(
  ['wall.plugin.tree', 'decision.kill.alone'],
  'a call ended by its timeout harms no call beside it',
  async () => {
    const long = testHost.invoke('hang', {}, { timeoutMs: 3_000 })
    const short = await testHost.invoke('hang', { grandchild: true }, { timeoutMs: 1_000 })
    expect(short).toMatchObject({ error: { code: 'tool_timeout' } })
    const grandchildren = () => testHost.processes().filter(({ command }) => command.includes('while'))
    expect(await leftOf(grandchildren, SURVIVES_MS)).toEqual([])
    expect(plugin()).toBeDefined()
    expect(await long).toMatchObject({ error: { code: 'tool_timeout' } })
    await noneLeft()
  },
)
