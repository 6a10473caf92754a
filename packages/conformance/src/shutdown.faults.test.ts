import { connect } from 'node:net'
import { afterEach, expect } from 'vitest'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { leftOf, slackMs } from './testing/processes.ts'
import { verifies } from './verifies.ts'

/** What the script sets, and what the end of a plugin may take besides. */
const SHUTDOWN_MS = 1_000
const MARGIN_MS = 800

let host: HostProcess
afterEach(() => host.kill())

async function start() {
  host = startHostProcess('leaving-host.ts')
  const at = JSON.parse(await host.line('ready')) as {
    url: string
    windowUuid: string
    token: string
    cookie: string
  }
  const headers = {
    origin: at.url,
    cookie: at.cookie,
    'x-svc-app-token': at.token,
    'content-type': 'application/json',
  }
  const call = (ns: string, method: string, args: unknown) =>
    fetch(`${at.url}/api/v1/svc-apps/runtime/rpc`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: '1', window_uuid: at.windowUuid, ns, method, args }),
    })
  const hang = () => call('tools', 'invoke', { tool_id: 'odd.hang', args: { grandchild: true } })
  const events = () => fetch(`${at.url}/api/v1/svc-apps/runtime/events?windows=${at.windowUuid}`, { headers })
  return { ...at, call, hang, events }
}

verifies(
  ['host.close'],
  'a host closed in the midst of calls, streams and idle connections ends by itself, and so do its plugins',
  async () => {
    const at = await start()
    const idle = connect(Number(new URL(at.url).port), '127.0.0.1').on('error', () => {})
    expect((await at.call('window', 'heartbeat', {})).status).toBe(200)
    const stream = await at.events()
    const calls = [at.hang(), at.hang()].map((call) => call.catch(() => 'broken'))
    await expect.poll(() => host.plugins().filter(({ command }) => command.includes('while')).length).toBe(2)

    const told = performance.now()
    host.tell('close\n')
    const ms = Number(await host.line('closed'))
    const slack = await slackMs()
    expect(ms).toBeLessThan(SHUTDOWN_MS + MARGIN_MS + slack)
    expect(await host.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - told).toBeLessThan(SHUTDOWN_MS + 2 * MARGIN_MS + 2 * slack)
    expect(host.plugins()).toEqual([])
    expect(await Promise.all(calls)).toEqual(['broken', 'broken'])
    await stream.body?.cancel().catch(() => undefined)
    idle.destroy()
  },
)

verifies(['wall.plugin.dies_with_host'], 'the plugins of a host that is killed die with it', async () => {
  const at = await start()
  const call = at.hang().catch(() => 'broken')
  await expect.poll(() => host.plugins().filter(({ command }) => command.includes('while')).length).toBe(1)
  host.kill()
  await host.ended
  expect(await leftOf(() => host.plugins(), 1_500)).toEqual([])
  expect(await call).toBe('broken')
})
