import { listening } from '@svc/conformance/raw-http'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'

let services: ToolHost
let at: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  services = await openToolHost({ limits: { POOL_IDLE_MS: 100 } })
  at = await listening(services, services.window)
})
afterAll(() => services.close())

const hang = (id: number) => {
  const args = { tool_id: 'odd.hang' }
  const body = JSON.stringify({
    id: `${id}`,
    window_uuid: services.window.windowUuid,
    ns: 'tools',
    method: 'invoke',
    args,
  })
  return at.head({ 'content-length': String(body.length) }) + body
}

verifies.each(['wall.plugin.tree'])([
  ['one call', 1],
  ['three requests in one write', 3],
])('a caller that leaves in the midst of %s has it cancelled in the plugin', async (_name, count) => {
  const { window } = services
  const raw = at.open()
  raw.write(Array.from({ length: count }, (_, id) => hang(id)).join(''))
  await expect.poll(() => services.runner.stats().busy, { timeout: 4_000 }).toBe(count)
  raw.end()
  await expect.poll(() => services.processes(), { timeout: 4_000 }).toEqual([])
  expect((await window.call('window', 'heartbeat')).ok).toBe(true)
})
