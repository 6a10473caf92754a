import { afterEach, beforeEach, describe, expect } from 'vitest'
import { openToolHost, type ToolHost } from './tool-host.ts'
import { verifies } from './verifies.ts'

/** From an answer to the end of every process that it leaves. */
const SURVIVES_MS = 1_500
/** Warm processes end soon, so that a process that is still there was forgotten. */
const limits = { POOL_IDLE_MS: 100, SYNC_GRACE_MS: 100 }
let house: ToolHost

beforeEach(async () => {
  house = await openToolHost({ limits })
})
afterEach(() => house.close())

const noneLeft = () =>
  expect.poll(() => house.processes(), { timeout: SURVIVES_MS, interval: 50 }).toEqual([])

/** The plugin itself, without what holds its tree together. */
const plugin = () => house.processes().find(({ command }) => /^\S*node \S*odd-plugin\.ts$/.test(command))

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
      const answer = await house.invoke(method, args, { timeoutMs: 1_000 })
      expect(answer.ok ? 'ok' : answer.error.code).toBe(code)
      expect(performance.now() - started).toBeLessThan(1_000 + limits.SYNC_GRACE_MS + 1_000)
      await noneLeft()
      expect((await house.invoke('echo')).ok).toBe(true)
    },
  )

  verifies(
    ['stdio.outcome.exit', 'error.plug_error'],
    'is killed in mid-call is plug_error at once',
    async () => {
      const call = house.invoke('hang', { grandchild: true })
      await expect.poll(() => house.read().some(({ method }) => method === 'call')).toBe(true)
      const pid = plugin()?.pid
      expect(pid).toBeDefined()
      process.kill(pid as number, 'SIGKILL')
      const killed = performance.now()
      expect(await call).toMatchObject({ error: { code: 'plug_error', details: { signal: 'SIGKILL' } } })
      expect(performance.now() - killed).toBeLessThan(1_000)
      await noneLeft()
    },
  )
})

verifies(['design.lanes.quick'], 'five tools that hang leave the window its heartbeat', async () => {
  const hanging = Array.from({ length: 5 }, () => house.invoke('hang', {}, { timeoutMs: 1_000 }))
  for (let beat = 0; beat < 20; beat++) {
    const started = performance.now()
    expect((await house.window.call('window', 'heartbeat')).ok).toBe(true)
    expect(performance.now() - started).toBeLessThan(100)
  }
  for (const answer of await Promise.all(hanging)) expect(answer.ok).toBe(false)
  await noneLeft()
})

verifies(
  ['wall.plugin.tree', 'decision.kill.alone'],
  'a call ended by its timeout harms no call beside it',
  async () => {
    const long = house.invoke('hang', {}, { timeoutMs: 3_000 })
    const short = await house.invoke('hang', { grandchild: true }, { timeoutMs: 1_000 })
    expect(short).toMatchObject({ error: { code: 'tool_timeout' } })
    await expect
      .poll(() => house.processes().filter(({ command }) => command.includes('while')), {
        timeout: SURVIVES_MS,
      })
      .toEqual([])
    expect(plugin()).toBeDefined()
    expect(await long).toMatchObject({ error: { code: 'tool_timeout' } })
    await noneLeft()
  },
)
