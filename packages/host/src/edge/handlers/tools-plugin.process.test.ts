import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestWindow } from '@svc/conformance/testing/host'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'

let services: ToolHost

beforeAll(async () => {
  process.env.SVC_SECRET_OF_THE_HOST = 'a secret'
  services = await openToolHost()
})
afterAll(async () => {
  delete process.env.SVC_SECRET_OF_THE_HOST
  await services.close()
})

interface Self {
  readonly self: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What the process that served a call tells about itself. */
async function self(window: TestWindow = services.window): Promise<Self> {
  const answer = await window.call('tools', 'invoke', { tool_id: 'odd.self' })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.result as unknown as Self
}

verifies(
  ['stdio.lines', 'stdio.describe', 'stdio.call', 'stdio.jsonrpc', 'stdio.call.context'],
  'a plugin reads one describe line, and one line for each call',
  async () => {
    await services.invoke('echo', { a: 1 }, { timeoutMs: 2_000 })
    const id = expect.stringMatching(/./)
    // The first test of the file: nothing else was read yet.
    expect(services.read()).toEqual([
      { jsonrpc: '2.0', id, method: 'describe' },
      {
        jsonrpc: '2.0',
        id,
        method: 'call',
        params: {
          name: 'echo',
          args: { a: 1 },
          timeout: 2_000,
          deadline_ms: expect.any(Number),
          context: { invoke_id: services.read()[1]?.id },
        },
      },
    ])
  },
)

verifies(['stdio.alive'], 'one process serves call after call', async () => {
  const first = await self()
  for (let n = 0; n < 5; n++) expect((await self()).self).toBe(first.self)
})

verifies(
  ['wall.plugin.one_call'],
  'calls at the same time are served by processes of their own',
  async () => {
    const file = join(services.folder, 'go')
    const calls = [1, 2, 3, 4].map(() => services.invoke('wait', { file }))
    await expect.poll(() => services.runner.stats().busy, { timeout: 4_000 }).toBe(4)
    writeFileSync(file, '')
    const served = await Promise.all(calls)
    expect(new Set(served.map((one) => one.ok && one.result.self)).size).toBe(4)
  },
)

verifies(['wall.plugin.user'], 'no process serves two users', async () => {
  const { host, appId } = services
  await host.apps.release('ada', appId, '1.0.0')
  const cookie = await services.signIn('bob')
  await host.apps.install('bob', { app_id: appId, version: '1.0.0' })
  const bob = await services.openWindow(undefined, undefined, cookie)
  const [ada, of] = [await self(), await self(bob)]
  expect(of.self).not.toBe(ada.self)
  expect((await self()).self).toBe(ada.self)
  expect((await self(bob)).self).toBe(of.self)
})

verifies(['decision.lines.noise'], 'lines that are not messages are counted and harm nothing', async () => {
  const before = services.runner.stats().noise
  expect(await services.invoke('noisy', { lines: 20 })).toMatchObject({ ok: true, result: { lines: 20 } })
  expect(services.runner.stats().noise).toBe(before + 20)
})

// The last test: it closes the runner.
verifies(
  ['wall.plugin.environment', 'wall.plugin.folder'],
  'a process sees its own folder and a short list of variables',
  async () => {
    const { cwd, env } = await self()
    expect(env).not.toHaveProperty('SVC_SECRET_OF_THE_HOST')
    expect(env.ODD_SPY).toBe(join(services.folder, 'lines'))
    expect(Object.values(env)).not.toContain('a secret')
    expect(existsSync(cwd)).toBe(true)
    expect(cwd).not.toBe(process.cwd())
    expect(env.TMPDIR).toBe(cwd)
    await services.runner.close()
    expect(existsSync(cwd)).toBe(false)
  },
)
