import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { type AskBed, type CallOf, type CallSide, HOST_API, openAskBed } from '../../testing/asking.ts'
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
const reach = async (bed: AskBed, app_session_uuid: string, of?: CallOf) => [
  await bed.ask('agent/session.run', { app_session_uuid, text: 'hi' }, of),
  await bed.ask('agent/session.cancel', { app_session_uuid }, of),
]

/** The same app for bob, and another one for ada; returns its id. */
async function others({ services, appId }: AskBed): Promise<string> {
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
    const bed = await openAskBed()
    const second = await others(bed)
    const uuid = await bed.session()
    const strangers: CallOf[] = [{ slug: 'other' }, { user: 'bob' }, { appId: second }]
    for (const stranger of strangers) {
      expect(await reach(bed, uuid, stranger)).toEqual(await reach(bed, 'aps_never', stranger))
      expect(await reach(bed, uuid, stranger)).toEqual([NOT_FOUND, NOT_FOUND])
      const deleting = await bed.ask('agent/session.delete', { app_session_uuid: uuid }, stranger)
      expect(deleting).toEqual({ result: { deleted: true } })
    }
    expect(await reach(bed, uuid)).toEqual([{ result: expect.anything() }, { result: { cancelled: false } }])
  })

  verifies('subcall.own_sessions', 'is none that the app made itself', async () => {
    const bed = await openAskBed()
    const { version, install } = await appRights(bed.services, { ...bed, userId: 'ada' })
    const { id } = await bed.services.sessions.create({
      userId: 'ada',
      appId: bed.appId,
      windowUuid: bed.windowUuid,
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
    expect(await reach(bed, id)).toEqual([NOT_FOUND, NOT_FOUND])
  })

  verifies('error.session_expired', 'is session_expired once it was deleted; a second time too', async () => {
    const bed = await openAskBed()
    const app_session_uuid = await bed.session()
    for (let time = 0; time < 2; time++) {
      expect(await bed.ask('agent/session.delete', { app_session_uuid })).toEqual({
        result: { deleted: true },
      })
      expect(await reach(bed, app_session_uuid)).toEqual([LOST, LOST])
    }
    expect((await bed.services.sessions.find({ userId: 'ada' }, app_session_uuid))?.row.state).toBe('revoked')
  })

  verifies(
    ['error.session_expired', 'plugin.session.cached'],
    'is session_expired once its token had to make room, and the one used last stays',
    async () => {
      const bed = await openAskBed({ limits: { PLUGIN_SESSIONS_MAX: 2 } })
      const [first, second] = [await bed.session(), await bed.session()]
      expect(await reach(bed, first)).toMatchObject([{ result: {} }, { result: {} }])
      const third = await bed.session()
      expect(await reach(bed, second)).toEqual([LOST, LOST])
      expect(await reach(bed, first)).toMatchObject([{ result: {} }, { result: {} }])
      expect(await reach(bed, third)).toMatchObject([{ result: {} }, { result: {} }])
      expect(await bed.ask('agent/session.delete', { app_session_uuid: second })).toHaveProperty('result')
      expect((await bed.services.sessions.find({ userId: 'ada' }, second))?.row.state).toBe('revoked')
    },
  )

  it('lives longer than its token', async () => {
    const bed = await openAskBed()
    const uuid = await bed.session()
    bed.services.clock.advance(15 * MINUTE_MS)
    expect(await reach(bed, uuid)).toMatchObject([{ result: {} }, { result: {} }])
  })

  verifies('subcall.refusal', 'that lay idle for too long says so by its number', async () => {
    const bed = await openAskBed()
    const uuid = await bed.session()
    bed.services.clock.advance(31 * MINUTE_MS)
    const expired = named('APP_SESSION_EXPIRED', -32_017)
    expect(await reach(bed, uuid, { windowUuid: null })).toEqual([expired, expired])
  })

  it('ends with its window', async () => {
    const bed = await openAskBed()
    const uuid = await bed.session()
    await bed.services.windows.close('ada', bed.windowUuid, 'done')
    bed.services.clock.advance(MINUTE_MS)
    expect(await reach(bed, uuid, { windowUuid: null })).toEqual([LOST, LOST])
  })

  verifies('subcall.depth', 'has tools that may ask for nothing', async () => {
    const bed = await openAskBed()
    const rights = await appRights(bed.services, { ...bed, userId: 'ada' })
    const tokenIn = async (pluginId: string | null) => {
      const session = await bed.services.sessions.create({
        userId: 'ada',
        appId: bed.appId,
        windowUuid: bed.windowUuid,
        ...rights,
        pluginId,
        kind: 'agent',
        submode: 'auto',
        fixedClientId: null,
        label: null,
        systemPrompt: null,
        caps: {},
      })
      const tools = await sessionTools(bed.services, { session, ...rights })
      const tool = tools.find(({ name }) => name.startsWith('tool-local-asks'))
      const seen: (string | null)[] = []
      bed.hear(({ token }) => seen.push(token))
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
    const bed = await openAskBed({ model })
    const app_session_uuid = await bed.session()
    const over = new AbortController()
    const run = { app_session_uuid, text: 'hi' }
    const told = bed.within(({ ask }) => ask('agent/session.run', run, over.signal))
    await expect.poll(() => model.open().length).toBe(1)
    return { bed, model, app_session_uuid, over, told }
  }

  it('that is cancelled gives what came until then', async () => {
    const { bed, app_session_uuid, told } = await running()
    expect(await bed.ask('agent/session.cancel', { app_session_uuid })).toEqual({
      result: { cancelled: true },
    })
    expect(await told).toMatchObject({
      result: { final: { event: 'final', text: 'Half of', aborted: true } },
    })
    expect(await bed.ask('agent/session.cancel', { app_session_uuid })).toEqual({
      result: { cancelled: false },
    })
  })

  it('is cancelled by its own id, and by no other', async () => {
    const { bed, app_session_uuid, told } = await running()
    const cancel = (run_id: string) => bed.ask('agent/session.cancel', { app_session_uuid, run_id })
    expect(await cancel('00000000-0000-4000-8000-000000000000')).toEqual({ result: { cancelled: false } })
    await bed.ask('agent/session.delete', { app_session_uuid })
    expect(await told).toMatchObject({ result: { final: { aborted: true } } })
  })

  verifies('subcall.end', 'is cancelled when the call ends', async () => {
    const { bed, model, app_session_uuid, over, told } = await running()
    over.abort(new Error('the call has ended'))
    expect(await told).toEqual(named('cancelled'))
    expect(model.open()).toEqual([])
    expect(await bed.services.runs.activeOf(app_session_uuid)).toBe(0)
  })

  it('that fails is the error of its frame', async () => {
    const model = scriptedModel((talk) => talk.fail(new Error('secret')))
    const bed = await openAskBed({ model })
    const app_session_uuid = await bed.session()
    const told = await bed.ask('agent/session.run', { app_session_uuid, text: 'hi' })
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
    const bed = await openAskBed()
    await bed.within(async ({ token, ask }) => {
      const made = await fromSampling(bed.services, token ?? '', ORDER)
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
      const bed = await openAskBed()
      const make = (token: string | null, order: unknown = ORDER) =>
        refusedBy(fromSampling(bed.services, token ?? '', order))
      const token = await bed.within((side) => side.token)
      expect([await make(token), await make(''), await make('smp_x')]).toEqual(Array(3).fill('invalid_token'))
      await bed.within(async (side) => {
        expect(await make(side.token, { kind: 'other' })).toBe('invalid_arg')
        expect(await make(side.token, [])).toBe('invalid_arg')
        bed.services.clock.advance(MINUTE_MS)
        expect(await make(side.token)).toBe('invalid_token')
      })
    },
  )

  verifies('subcall.token', 'is made in a job too, without a window, until that has ended', async () => {
    const bed = await openAskBed()
    const known = await bed.services.plugins.find({ userId: 'ada', version: null }, 'asks')
    if (!known?.link) throw new Error('there is no such plugin')
    const plugin = { ...known, link: known.link }
    const side = await new Promise<CallSide & { readonly made: PluginSession }>((resolve) => {
      bed.hear(async (one) => {
        resolve({ ...one, made: await fromSampling(bed.services, one.token ?? '', ORDER) })
      })
      void bed.services.jobs.start({
        userId: 'ada',
        appId: bed.appId,
        plugin,
        tool: 'all',
        args: {},
        clientTag: null,
        timeout: { effective: 10 * MINUTE_MS, clampedFrom: null },
        origin: '',
      })
    })
    const { app_session_uuid } = side.made
    const row = (await bed.services.sessions.find({ userId: 'ada' }, app_session_uuid))?.row
    expect(row).toMatchObject({ plugin_id: plugin.tool_id, window_uuid: null })
    const again = () => refusedBy(fromSampling(bed.services, side.token ?? '', ORDER))
    await expect.poll(again).toBe('invalid_token')
  })

  verifies('manifest.plugin.host_capabilities', 'takes the capability too', async () => {
    const bed = await openAskBed()
    const made = bed.within(({ token }) => refusedBy(fromSampling(bed.services, token ?? '', ORDER)), {
      capabilities: ['host.upload'],
    })
    expect(await made).toBe('permission_denied')
  })
})
