import { once } from 'node:events'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { type AgentHost, openAgentHost } from '../../testing/agent-host.ts'
import { settled } from '../../testing/jobs.ts'
import { scriptedModel, type Talk } from '../../testing/run-model.ts'

const IDLE = 10_000
const MOST = 40_000
const limits = { AGENT_IDLE_TTL_MS: IDLE, AGENT_MAX_LIFETIME_MS: MOST, REAPER_INTERVAL_MS: 1_000 }

/** A host with a session whose run waits for its model, and a second one behind it. */
async function open() {
  const asked = [Promise.withResolvers<Talk>(), Promise.withResolvers<Talk>()] as const
  const model = scriptedModel((talk, at) => asked[at]?.resolve(talk))
  const services = await openAgentHost({ limits, models: { default: { model: model.model } } })
  const window = await services.openWindow()
  const made = await window.call('agent', 'session.create', { submode: 'auto' })
  const app_session_uuid: string = made.ok ? String(made.result.app_session_uuid) : ''
  const run = () => services.call('run', { app_session_uuid, content: 'hi' })
  await run()
  await run()
  const talk = await asked[0].promise
  const shown = async () => {
    const [session] = await services.host.sessions.list('ada', { includeExpired: true })
    return [session?.state, session?.active_runs]
  }
  return { ...services, model, talk, next: asked[1].promise, window, app_session_uuid, shown }
}
type Scene = Awaited<ReturnType<typeof open>>

const uninstall = async ({ host }: AgentHost) => {
  const [install] = await host.apps.installed('ada')
  await host.apps.uninstall('ada', install?.install_id ?? '')
}
const onPage = async ({ request, signIn, app_session_uuid }: Scene) => {
  const init = { method: 'DELETE', cookie: await signIn('ada') }
  await request(`/api/v1/svc-apps/sessions/${app_session_uuid}`, init)
}

verifies.each([
  'session.delete.cancels',
  'session.window_closed',
  'decision.window.sessions_grace',
  'decision.session.hard_cap',
  'wall.sessions.uninstalled',
])<[string, 'revoked' | 'expired', (scene: Scene) => Promise<unknown>]>([
  ['its delete', 'revoked', ({ call, app_session_uuid }) => call('delete', { app_session_uuid })],
  ["its end on the user's page", 'revoked', onPage],
  ['the end of its app', 'revoked', uninstall],
  [
    'the close of its window',
    'revoked',
    async ({ window, clock }) => {
      await window.call('window', 'close')
      await clock.advance(30_000 + 1_000)
    },
  ],
  ['the end of its longest life', 'expired', ({ clock }) => clock.advance(MOST)],
])('%s leaves a session %s and without a run', async (_what, state, end) => {
  const scene = await open()
  expect(await scene.shown()).toEqual(['active', 2])
  await end(scene)
  await settled()
  expect(await scene.shown()).toEqual([state, 0])
  const { signal } = scene.talk
  if (!signal.aborted) await once(signal, 'abort')
  expect(scene.model.talks).toHaveLength(1)
  await scene.close()
  expect(scene.clock.timers).toBe(0)
})

verifies(
  ['decision.session.run_spares', 'session.slide'],
  'a session outlives its idle end under a run, and has a whole idle window after it',
  async () => {
    const scene = await open()
    await scene.clock.advance(IDLE * 2)
    expect(await scene.shown()).toEqual(['active', 2])
    scene.talk.finish()
    ;(await scene.next).finish()
    for (let turns = 0; (await scene.shown())[1] !== 0 && turns < 1_000; turns += 1) await settled()
    await scene.clock.advance(IDLE - 1)
    expect(await scene.shown()).toEqual(['active', 0])
    await scene.clock.advance(1)
    expect(await scene.shown()).toEqual(['expired', 0])
    await scene.close()
  },
)
