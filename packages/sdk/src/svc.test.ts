import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, expect } from 'vitest'

const manifest = {
  schema: 3,
  name: 'App',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { agent: { session: { auto: true }, tools: ['time_now'] } },
  },
  required_plugs: ['build'],
}

let host: TestHost
afterEach(() => host.close())

verifies('decision.wait.outlives_host', 'waits for a job while the host is away', async () => {
  const done = Promise.withResolvers<object>()
  host = await createTestHost({ manifest, tools: { build: { all: () => done.promise } } })
  const { svc, window } = await host.openWindow()
  const refused: string[] = []
  window.on('refused', ({ code }) => refused.push(code))
  const job = svc.tools.invokeAsyncAwait({ tool_id: 'build.all' })
  await host.clock.advance(5_000)
  await host.fault.hostGone()
  done.resolve({ built: true })
  await host.clock.advance(60_000)
  expect(new Set(refused)).toEqual(new Set(['host_unreachable']))
  await host.fault.hostBack()
  await host.clock.advance(10_000)
  expect(await job).toEqual({ built: true })
})

verifies('tools.on_changed', 'hears of tools that its host was configured with meanwhile', async () => {
  host = await createTestHost({ manifest, tools: { build: { all: () => ({}) } } })
  const { svc } = await host.openWindow()
  const heard: (string | undefined)[][] = []
  svc.tools.onChanged((tools) => heard.push(tools.map(({ tool_name }) => tool_name)))
  await svc.ready
  host.host.plugins.configure([])
  await host.clock.settled()
  host.host.plugins.configure([{ slug: 'build', command: ['build'] }])
  await host.clock.settled()
  expect(heard).toEqual([[], ['all']])
})

verifies('session.client.metadata', 'tells the id, the ends and the idle time of its session', async () => {
  host = await createTestHost({
    manifest,
    models: { default: [] },
    grants: { agent: { platform_tools: ['time_now'] } },
  })
  const { svc } = await host.openWindow()
  const made = await svc.agent.session({ submode: 'auto', systemPrompt: 'Be brief.' })
  expect(made).toMatchObject({
    appSessionUuid: expect.stringMatching(/^aps_/),
    submode: 'auto',
    fixedClientId: null,
    expiresAt: '2026-01-01T00:30:00.000Z',
    maxLifetimeAt: '2026-01-02T00:00:00.000Z',
    idleTtlSeconds: 1_800,
    systemPrompt: 'Be brief.',
    grantedTools: ['time_now'],
    inheritHostTools: false,
  })
  await host.clock.advance(60_000)
  expect(await made.refresh()).toMatchObject({
    app_session_uuid: made.appSessionUuid,
    idle_ttl_seconds: 1_800,
  })
  expect(made.expiresAt).toBe('2026-01-01T00:31:00.000Z')
})
