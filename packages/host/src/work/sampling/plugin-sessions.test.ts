import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { type AskRoom, type CallOf, type CallSide, HOST_API, openAskRoom } from '../../testing/asking.ts'
import { scriptedModel } from '../../testing/run-model.ts'
import { filesOf, testManifest } from '../../testing/services.ts'
import { sessionTools } from '../sessions/session-tools.ts'
import { appRights } from '../sessions/tool-rights.ts'
import { fromSampling } from './from-sampling.ts'
import type { PluginSession } from './make-session.ts'

const MINUTE_MS = 60_000
const named = (name: string, code = -32_000) => ({
  error: { code, message: expect.stringMatching(/./), data: expect.objectContaining({ name }) },
})
const NOT_FOUND = named('APP_SESSION_NOT_FOUND')
const LOST = named('session_expired')

/** What becomes of a run, a cancel and a delete of a session. */
const reach = async (room: AskRoom, app_session_uuid: string, of?: CallOf) => [
  await room.ask('agent/session.run', { app_session_uuid, text: 'hi' }, of),
  await room.ask('agent/session.cancel', { app_session_uuid }, of),
]

/** The same app for bob, and another one for ada; returns its id. */
async function others({ services, appId }: AskRoom): Promise<string> {
  await services.apps.release('ada', appId, '1.0.0')
  await services.apps.install('bob', { app_id: appId, version: '1.0.0', grants: {} })
  const { app_id } = await services.apps.register('ada', { slug: 'second', name: 'Second' })
  const manifest = testManifest({ host_api: HOST_API, required_plugs: ['asks'] })
  await services.apps.pushDraft('ada', app_id, { manifest, files: filesOf({ 'index.html': '<p>' }) })
  await services.apps.install('ada', { app_id, version: '0.0.0-draft', grants: {} })
  return app_id
}

describe('a session of a plugin', () => {
  verifies('subcall.own_sessions', 'is there for that plugin, user and app alone', async () => {
    const room = await openAskRoom()
    const second = await others(room)
    const uuid = await room.session()
    const strangers: CallOf[] = [{ slug: 'other' }, { user: 'bob' }, { appId: second }]
    for (const stranger of strangers) {
      expect(await reach(room, uuid, stranger)).toEqual(await reach(room, 'aps_never', stranger))
      expect(await reach(room, uuid, stranger)).toEqual([NOT_FOUND, NOT_FOUND])
      const deleting = await room.ask('agent/session.delete', { app_session_uuid: uuid }, stranger)
      expect(deleting).toEqual({ result: { deleted: true } })
    }
    expect(await reach(room, uuid)).toEqual([{ result: expect.anything() }, { result: { cancelled: false } }])
  })

  verifies('subcall.own_sessions', 'is none that the app made itself', async () => {
    const room = await openAskRoom()
    const { version, install } = await appRights(room.services, { ...room, userId: 'ada' })
    const { id } = await room.services.sessions.create({
      userId: 'ada',
      appId: room.appId,
      windowUuid: room.windowUuid,
      version,
      install,
      pluginId: null,
      kind: 'agent',
      submode: 'auto',
      fixedClientId: null,
      label: null,
      systemPrompt: null,
      caps: {},
    })
    expect(await reach(room, id)).toEqual([NOT_FOUND, NOT_FOUND])
  })

  verifies('error.session_expired', 'is session_expired once it was deleted; a second time too', async () => {
    const room = await openAskRoom()
    const app_session_uuid = await room.session()
    for (let time = 0; time < 2; time++) {
      expect(await room.ask('agent/session.delete', { app_session_uuid })).toEqual({
        result: { deleted: true },
      })
      expect(await reach(room, app_session_uuid)).toEqual([LOST, LOST])
    }
    expect((await room.services.sessions.find({ userId: 'ada' }, app_session_uuid))?.row.state).toBe(
      'revoked',
    )
  })

  verifies(
    ['error.session_expired', 'plugin.session.cached'],
    'is session_expired once its token had to make room, and the one used last stays',
    async () => {
      const room = await openAskRoom({ limits: { PLUGIN_SESSIONS_MAX: 2 } })
      const [first, second] = [await room.session(), await room.session()]
      expect(await reach(room, first)).toMatchObject([{ result: {} }, { result: {} }])
      const third = await room.session()
      expect(await reach(room, second)).toEqual([LOST, LOST])
      expect(await reach(room, first)).toMatchObject([{ result: {} }, { result: {} }])
      expect(await reach(room, third)).toMatchObject([{ result: {} }, { result: {} }])
      expect(await room.ask('agent/session.delete', { app_session_uuid: second })).toHaveProperty('result')
      expect((await room.services.sessions.find({ userId: 'ada' }, second))?.row.state).toBe('revoked')
    },
  )

  it('lives longer than its token', async () => {
    const room = await openAskRoom()
    const uuid = await room.session()
    room.services.clock.advance(15 * MINUTE_MS)
    expect(await reach(room, uuid)).toMatchObject([{ result: {} }, { result: {} }])
  })

  verifies('subcall.refusal', 'that lay idle for too long says so by its number', async () => {
    const room = await openAskRoom()
    const uuid = await room.session()
    room.services.clock.advance(31 * MINUTE_MS)
    const expired = named('APP_SESSION_EXPIRED', -32_017)
    expect(await reach(room, uuid, { windowUuid: null })).toEqual([expired, expired])
  })

  it('ends with its window', async () => {
    const room = await openAskRoom()
    const uuid = await room.session()
    await room.services.windows.close('ada', room.windowUuid, 'done')
    room.services.clock.advance(MINUTE_MS)
    expect(await reach(room, uuid, { windowUuid: null })).toEqual([LOST, LOST])
  })

  verifies('subcall.depth', 'has tools that may ask for nothing', async () => {
    const room = await openAskRoom()
    const rights = await appRights(room.services, { ...room, userId: 'ada' })
    const tokenIn = async (pluginId: string | null) => {
      const session = await room.services.sessions.create({
        userId: 'ada',
        appId: room.appId,
        windowUuid: room.windowUuid,
        ...rights,
        pluginId,
        kind: 'agent',
        submode: 'auto',
        fixedClientId: null,
        label: null,
        systemPrompt: null,
        caps: {},
      })
      const tools = await sessionTools(room.services, { session, ...rights })
      const tool = tools.find(({ name }) => name.startsWith('tool-local-asks'))
      const seen: (string | null)[] = []
      room.hear(({ token }) => seen.push(token))
      await tool?.call({}, new AbortController().signal)
      return seen
    }
    expect(await tokenIn(null)).toEqual([expect.stringMatching(/^smp_/)])
    expect(await tokenIn('tool-local-asks')).toEqual([null])
  })
})

describe('a run of a plugin', () => {
  /** A session with a run that the model does not end. */
  async function running() {
    const model = scriptedModel((talk) => talk.say('Half', ' of'))
    const room = await openAskRoom({ model })
    const app_session_uuid = await room.session()
    const over = new AbortController()
    const run = { app_session_uuid, text: 'hi' }
    const told = room.within(({ ask }) => ask('agent/session.run', run, over.signal))
    await expect.poll(() => model.open().length).toBe(1)
    return { room, model, app_session_uuid, over, told }
  }

  it('that is cancelled gives what came until then', async () => {
    const { room, app_session_uuid, told } = await running()
    expect(await room.ask('agent/session.cancel', { app_session_uuid })).toEqual({
      result: { cancelled: true },
    })
    expect(await told).toMatchObject({
      result: { final: { event: 'final', text: 'Half of', aborted: true } },
    })
    expect(await room.ask('agent/session.cancel', { app_session_uuid })).toEqual({
      result: { cancelled: false },
    })
  })

  it('is cancelled by its own id, and by no other', async () => {
    const { room, app_session_uuid, told } = await running()
    const cancel = (run_id: string) => room.ask('agent/session.cancel', { app_session_uuid, run_id })
    expect(await cancel('00000000-0000-4000-8000-000000000000')).toEqual({ result: { cancelled: false } })
    await room.ask('agent/session.delete', { app_session_uuid })
    expect(await told).toMatchObject({ result: { final: { aborted: true } } })
  })

  verifies('subcall.end', 'is cancelled when the call ends', async () => {
    const { room, model, app_session_uuid, over, told } = await running()
    over.abort(new Error('the call has ended'))
    expect(await told).toEqual(named('cancelled'))
    expect(model.open()).toEqual([])
    expect(await room.services.runs.activeOf(app_session_uuid)).toBe(0)
  })

  it('that fails is the error of its frame', async () => {
    const model = scriptedModel((talk) => talk.fail(new Error('secret')))
    const room = await openAskRoom({ model })
    const app_session_uuid = await room.session()
    const told = await room.ask('agent/session.run', { app_session_uuid, text: 'hi' })
    expect(told.error?.data).toMatchObject({
      name: expect.stringMatching(/./),
      details: { run_id: expect.any(String), stream_id: expect.stringMatching(/^strm_/) },
    })
    expect(JSON.stringify(told)).not.toContain('secret')
  })
})

describe('a session by the sampling token alone', () => {
  const ORDER = { kind: 'agent', agent_submode: 'auto', label: 'Talk' }

  verifies('subcall.token', "is made while the call goes on, and is then the plugin's", async () => {
    const room = await openAskRoom()
    await room.within(async ({ token, ask }) => {
      const made = await fromSampling(room.services, token ?? '', ORDER)
      expect(made).toMatchObject({ kind: 'agent', submode: 'auto', label: 'Talk' })
      expect(JSON.stringify(made)).not.toMatch(/eyJ|token/)
      const { app_session_uuid } = made
      expect(await ask('agent/session.run', { app_session_uuid, text: 'hi' })).toHaveProperty('result')
    })
  })

  const refusedBy = (promise: Promise<unknown>) =>
    promise.then(
      () => 'not refused',
      ({ code }) => code,
    )

  verifies(
    'subcall.token',
    'is not made by a token of nobody, after the call, and past its deadline',
    async () => {
      const room = await openAskRoom()
      const make = (token: string | null, order: unknown = ORDER) =>
        refusedBy(fromSampling(room.services, token ?? '', order))
      const token = await room.within((side) => side.token)
      expect([await make(token), await make(''), await make('smp_x')]).toEqual(Array(3).fill('invalid_token'))
      await room.within(async (side) => {
        expect(await make(side.token, { kind: 'other' })).toBe('invalid_arg')
        expect(await make(side.token, [])).toBe('invalid_arg')
        room.services.clock.advance(MINUTE_MS)
        expect(await make(side.token)).toBe('invalid_token')
      })
    },
  )

  verifies('subcall.token', 'is made in a job too, without a window, until that has ended', async () => {
    const room = await openAskRoom()
    const known = await room.services.plugins.find({ userId: 'ada', version: null }, 'asks')
    if (!known?.link) throw new Error('there is no such plugin')
    const plugin = { ...known, link: known.link }
    const side = await new Promise<CallSide & { readonly made: PluginSession }>((resolve) => {
      room.hear(async (one) => {
        resolve({ ...one, made: await fromSampling(room.services, one.token ?? '', ORDER) })
      })
      void room.services.jobs.start({
        userId: 'ada',
        appId: room.appId,
        plugin,
        tool: 'all',
        args: {},
        clientTag: null,
        timeout: { effective: 10 * MINUTE_MS, clampedFrom: null },
        origin: '',
      })
    })
    const { app_session_uuid } = side.made
    const row = (await room.services.sessions.find({ userId: 'ada' }, app_session_uuid))?.row
    expect(row).toMatchObject({ plugin_id: plugin.tool_id, window_uuid: null })
    const again = () => refusedBy(fromSampling(room.services, side.token ?? '', ORDER))
    await expect.poll(again).toBe('invalid_token')
  })

  verifies('manifest.plugin.host_capabilities', 'takes the capability too', async () => {
    const room = await openAskRoom()
    const made = room.within(({ token }) => refusedBy(fromSampling(room.services, token ?? '', ORDER)), {
      capabilities: ['host.upload'],
    })
    expect(await made).toBe('permission_denied')
  })
})
