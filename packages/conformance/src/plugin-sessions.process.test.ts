import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { leftOf, processesWith } from './testing/processes.ts'
import { openToolHost, type ToolHost } from './testing/tool-host.ts'
import { verifies } from './verifies.ts'

const mark = randomUUID()
const folder = mkdtempSync(join(tmpdir(), 'svc-state-'))
const late = join(folder, 'late')
const env = { STATE_MARK: mark, LATE_FILE: late }
const server = new URL('./testing/state-server.mjs', import.meta.url).pathname
/** Servers of the first plugin that live, without what runs them. */
const servers = () =>
  processesWith(`STATE_MARK=${mark}`).filter(({ command }) => /^\S*node \S*state-server\.mjs$/.test(command))
const GONE_MS = 2_000
const command: [string, ...string[]] = ['node', server]

let testHost: ToolHost
beforeAll(async () => {
  testHost = await openToolHost({
    plugins: [
      { slug: 'state', command, protocol: 'mcp', env },
      { slug: 'agents', command, protocol: 'mcp', env: { ...env, STATE_MARK: 'agents' }, session: 'agent' },
    ],
    manifest: { required_plugs: ['state', 'agents'] },
  })
  await testHost.host.plugins.ready()
}, 30_000)
afterAll(async () => {
  await testHost.close()
  rmSync(folder, { recursive: true })
})

type Window = ToolHost['window']
async function count(window: Window, tool_id = 'state'): Promise<{ n: number }> {
  const answer = await window.call('tools', 'invoke', { tool_id, method: 'count', args: {} })
  if (!answer.ok) throw new Error(answer.error.message)
  return (answer.result as { structuredContent: { n: number } }).structuredContent
}

verifies('plugin.described', 'the server that was described takes the first call', async () => {
  const before = servers().map(({ pid }) => pid)
  expect(before).toHaveLength(1)
  expect(await count(await testHost.openWindow())).toMatchObject({ n: 1 })
  expect(servers().map(({ pid }) => pid)).toEqual(before)
})

verifies(['plugin.session', 'plugin.session.ends'], 'each window has a server, until it closes', async () => {
  const before = servers().length
  const [one, two] = [await testHost.openWindow(), await testHost.openWindow()]
  // Requests that are under way together come in any order.
  const counts = await Promise.all([count(two), count(one), count(one), count(one), count(one)])
  const [ofTwo, ...ofOne] = counts.map(({ n }) => n)
  expect(ofTwo).toBe(1)
  expect(ofOne.sort()).toEqual([1, 2, 3, 4])
  expect(servers()).toHaveLength(before + 2)
  await one.call('window', 'close')
  expect(await leftOf(() => servers().slice(before + 1), GONE_MS)).toEqual([])
  expect(await count(two)).toMatchObject({ n: 2 })
  await two.call('window', 'close')
  expect(await leftOf(() => servers().slice(before), GONE_MS)).toEqual([])
})

/** The names of all tools that the app of a window sees. */
async function toolsOf(window: Window): Promise<string> {
  const answer = await window.call('tools', 'list')
  if (!answer.ok) throw new Error(answer.error.message)
  return JSON.stringify(answer.result)
}

verifies('plugin.tools_changed', 'tools that a server adds are listed and can be called', async () => {
  const window = await testHost.openWindow()
  expect(await toolsOf(window)).not.toContain('extra-1')
  await window.call('tools', 'invoke', { tool_id: 'state', method: 'more', args: {} })
  await expect.poll(() => toolsOf(window), { timeout: 10_000 }).toContain('extra-1')
  const answer = await window.call('tools', 'invoke', { tool_id: 'state', method: 'extra-1', args: {} })
  expect(answer).toMatchObject({ ok: true })
  await window.call('window', 'close')
})

verifies('plugin.tools_again', 'a tool that nobody was told of is found by its first call', async () => {
  const window = await testHost.openWindow()
  const call = (method: string) => window.call('tools', 'invoke', { tool_id: 'agents', method, args: {} })
  writeFileSync(late, '')
  expect(await call('late')).toMatchObject({ ok: true })
  // Asked again just now: who tries names has it asked no more.
  const before = servers().length
  for (let n = 0; n < 20; n++)
    expect(await call(`late-${n}`)).toMatchObject({ ok: false, error: { code: 'invalid_arg' } })
  expect(servers()).toHaveLength(before)
  await window.call('window', 'close')
})

verifies('plugin.session.ends', 'a user who signs out everywhere leaves none', async () => {
  const before = new Set(servers().map(({ pid }) => pid))
  await count(await testHost.openWindow())
  const own = () => servers().filter(({ pid }) => !before.has(pid))
  expect(own()).toHaveLength(1)
  await testHost.host.users.signOut('ada')
  expect(await leftOf(own, GONE_MS)).toEqual([])
})
