import { type Grants, type Limits, type PluginManifest, Refusal } from '@svc/contract'
import { tools } from '../edge/handlers/tools.ts'
import { window as windowHandlers } from '../edge/handlers/window.ts'
import { callPluginTool } from '../work/sessions/call-tool.ts'
import { runTools } from '../work/sessions/session-tools.ts'
import { type OpenApp, openPluginBed, type PluginBed } from './plugins.ts'
import { weather } from './publishing.ts'
import { describes, handRunner } from './runners.ts'

const BOTH_SUBMODES = { agent: { session: { auto: true, fixed: { client_ids: [] } } } }
const ui = {
  bundle: { entry: 'index.html' },
  views: [{ name: 'main' }],
  host_api: { ...BOTH_SUBMODES, credentials: ['*'] },
}

/** Eve's public plugin, and an app of hers that declares it; whatever came to a runner of ada is in `came`. */
export async function scene(limits: Partial<Limits> = {}) {
  const came: string[] = []
  const runner = handRunner({
    install: ({ version }) => {
      came.push(`install ${version}`)
      return { ok: true }
    },
    describe: ({ version }) => {
      came.push(`describe ${version}`)
      return describes('forecast')
    },
  })
  const bed = openPluginBed(limits)
  bed.runners.connect('ada', runner)
  const toolId = await bed.publish('eve', { visibility: 'public' })
  const appId = await bed.app('eve', [], { ui, optional_plugs: [toolId] })
  await bed.services.apps.release('eve', appId, '1.0.0')
  const open = (grants: Grants = {}, user = 'ada') => bed.openWith(user, appId, grants, '1.0.0')
  /** What ada's install granted when she last answered. */
  const kept: { grants: Grants } = { grants: {} }
  return { ...bed, came, runner, toolId, appId, kept, openAs: open }
}
/** What a test has. */
export type Scene = Awaited<ReturnType<typeof scene>>

/** What ada said, each with how she opens the app after that, and whether the plugin may run then. */
export const states: readonly [said: string, enter: (at: Scene) => Promise<OpenApp>, mayRun: boolean][] = [
  ['nothing', ({ openAs }) => openAs(), false],
  [
    'yes, as she installed it',
    ({ openAs, toolId }) => openAs({ plugs: [{ tool_id: toolId, version: '1.0.0' }] }),
    true,
  ],
  ['always', async (at) => answered(at, 'always'), true],
  ['once, in this window', async (at) => answered(at, 'once'), true],
  ['never', async (at) => answered(at, 'never'), false],
  [
    'never, after always',
    async (at) => {
      const app = await answered(at, 'always')
      await at.services.apps.agree('ada', app.windowUuid, { ...plugOf(at), answer: 'never' })
      return app
    },
    false,
  ],
  [
    'once, in another window',
    async (at) => {
      await answered(at, 'once')
      const { window_uuid } = await at.services.windows.open('ada', { app_id: at.appId })
      return { appId: at.appId, userId: 'ada', windowUuid: window_uuid }
    },
    false,
  ],
  [
    'always, and installed it again without',
    async (at) => {
      await answered(at, 'always')
      return at.openAs()
    },
    false,
  ],
  [
    'always, to an older version',
    async (at) => {
      await answered(at, 'always')
      await release(at, weather('Better.'))
      return { ...(await at.openWith('ada', at.appId, at.kept.grants, '1.1.0')) }
    },
    false,
  ],
  [
    'always, before it reached a host',
    async (at) => {
      await answered(at, 'always')
      await release(at, { ...weather(), reach: { hosts: ['evil.example'] } })
      return at.openWith('ada', at.appId, at.kept.grants, '1.1.0')
    },
    false,
  ],
]

/** The plugin at the version that it begins with. */
export const plugOf = ({ toolId }: Scene) => ({ tool_id: toolId, version: '1.0.0' })
/** Ada opens the app and answers. */
export async function answered(at: Scene, answer: 'once' | 'always' | 'never') {
  const app = await at.openAs()
  await at.services.apps.agree('ada', app.windowUuid, { ...plugOf(at), answer })
  const [install] = await at.services.apps.installs('ada')
  at.kept.grants = install?.grants ?? {}
  return app
}

/** A new version of the plugin, and a release of the app that pins it. */
async function release({ services, toolId, appId }: Scene, manifest: PluginManifest) {
  await services.publishing.publish('eve', toolId, { manifest })
  await services.apps.release('eve', appId, '1.1.0')
}

/** A session in a window, with the rights of now. */
export const sessionIn = async ({ services, context }: Scene, app: OpenApp) => {
  const { version, install } = await context(app)
  const session = await services.sessions.create({
    userId: app.userId,
    appId: app.appId,
    version,
    install,
    windowUuid: app.windowUuid,
    pluginId: null,
    kind: 'agent',
    submode: 'auto',
    fixedClientId: null,
    label: null,
    systemPrompt: null,
    caps: {},
  })
  return { session, version, install, window: (await context(app)).window }
}

/** Every way by which an app has something done with a plugin; `uses`: it has a process of it do something. */
export const ways: readonly [
  name: string,
  uses: boolean,
  way: (at: Scene, app: OpenApp) => Promise<unknown>,
][] = [
  ['window.hello', false, async ({ context }, app) => windowHandlers.hello({}, await context(app))],
  ['tools.list', false, ({ list }, app) => list(app)],
  ['tools.invoke', true, ({ context, toolId }, app) => invoke(context(app), toolId)],
  [
    'tools.invokeAsync',
    true,
    async ({ context, toolId, services }, app) => {
      await tools.invokeAsync({ tool_id: toolId, method: 'forecast' }, await context(app))
      await services.clock.advance(0)
    },
  ],
  [
    'a session, by its list',
    true,
    async (at, app) => {
      const [tool] = await runTools(at.services, await sessionIn(at, app))
      await tool?.call({}, new AbortController().signal)
    },
  ],
  [
    'a session, by a name that it was not given',
    true,
    async (at, app) => {
      const call = {
        services: at.services,
        rights: await sessionIn(at, app),
        signal: new AbortController().signal,
      }
      await callPluginTool({ plugin: at.toolId, tool: 'forecast' }, {}, call)
    },
  ],
  [
    'a session that is fixed to it',
    false,
    async ({ services, context, toolId }, app) => {
      const { version, install } = await context(app)
      const session = { kind: 'agent', submode: 'fixed', fixedClientId: toolId, label: null } as const
      await services.sessions.create({
        userId: app.userId,
        appId: app.appId,
        version,
        install,
        windowUuid: app.windowUuid,
        ...session,
        pluginId: null,
        systemPrompt: null,
        caps: {},
      })
    },
  ],
  ['the list of installs', false, ({ services }) => services.apps.installs('ada')],
  ['the list of plugins', false, ({ services }) => services.publishing.visible('ada', { limit: 20 })],
  [
    'a runner that comes online, and the sweeper',
    false,
    async ({ services, runners, runner, list }, app) => {
      await list(app)
      runners.connect('ada', runner, 'rnr_new')
      services.plugins.sweep()
      await list(app)
    },
  ],
]

/** Calls the plugin. */
export async function invoke(context: ReturnType<PluginBed['context']>, tool_id: string) {
  await tools.invoke({ tool_id, method: 'forecast' }, await context)
}

/** How something was refused; `null`: it was not. */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    },
  )
