import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { createRunner } from '@svc/runner'
import { memoryBus } from '@svc/state'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { userJournal } from '../../events/events.ts'

// The first call starts a process.
vi.setConfig({ testTimeout: 20_000 })

const server = new URL('../../../../mcp/src/testing/odd-server.mjs', import.meta.url).pathname
const bus = memoryBus({ clock: systemClock })
const runner = createRunner({})
const denial = { ok: false, error: { code: 'permission_denied', details: { denied_by: 'approval' } } }

let services: TestHost
let window: TestWindow
beforeAll(async () => {
  services = await openTestHost({
    bus,
    runner,
    secret: 's'.repeat(32),
    plugins: [{ slug: 'files', command: ['node', server], protocol: 'mcp' }],
    manifest: { required_plugs: ['files'] },
  })
  await services.host.plugins.ready()
  window = await services.openWindow()
}, 20_000)
afterAll(async () => {
  await services.close()
  await runner.close()
})

const invoke = (method: string, args: object) =>
  window.call('tools', 'invoke', { tool_id: 'files', method, args })

/** The questions that the page was told of. */
async function asked() {
  const { items } = await bus.journal.read(userJournal('ada'), 0)
  return items.map(({ item }) => JSON.parse(item)).filter(({ type }) => type === 'tool_approval')
}

/** Calls the tool that is marked, and answers once the page was asked. */
async function erase(answer: 'once' | 'no') {
  const before = (await asked()).length
  const file = join(tmpdir(), randomUUID())
  const calling = invoke('erase', { file })
  await expect.poll(async () => (await asked()).length, { timeout: 15_000 }).toBe(before + 1)
  const event = (await asked()).at(-1)
  const didBefore = existsSync(file)
  await services.request(`/api/v1/svc-apps/approvals/${event.approval_id}`, {
    method: 'POST',
    cookie: window.cookie,
    body: JSON.stringify({ answer }),
  })
  return { file, event, didBefore, result: await calling, did: existsSync(file) }
}

verifies(['approval.mcp', 'approval.refused'], 'a no keeps the call from the server', async () => {
  expect(await erase('no')).toMatchObject({ result: denial, didBefore: false, did: false })
})

verifies(['approval.mcp', 'approval.asked'], 'the server has the call after the yes', async () => {
  const { event, file, ...rest } = await erase('once')
  expect(rest).toMatchObject({ didBefore: false, result: { ok: true }, did: true })
  expect(event).toMatchObject({ plugin_name: 'odd', tool_name: 'erase', args_cut: false })
  expect(JSON.parse(event.args_text)).toEqual({ file })
})

it('asks nothing about a tool of the server without the hint', async () => {
  const before = (await asked()).length
  expect(await invoke('echo', { a: 1 })).toMatchObject({ ok: true })
  expect(await asked()).toHaveLength(before)
})
