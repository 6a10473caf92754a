import type { Limits, ManifestInput } from '@svc/contract'
import type { HostCapability, LineError, SubcallMethod } from '@svc/contract/stdio'
import type { CallInput, CallOutcome, JobInput, Runner, Subcalls } from '@svc/runner'
import { installId } from '../catalog/records.ts'
import { callNow } from '../work/tools/call-now.ts'
import { answered } from './jobs-runner.ts'
import { type ScriptedModel, sayingModel } from './run-model.ts'
import { filesOf, type TestServices, testManifest, testServices } from './services.ts'

/** What came of a request: the result, or the error as its line carries it. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
export type SubcallResult = { readonly result?: any; readonly error?: LineError }

/** A call under way, from the side of its plugin. */
export interface CallSide {
  /** Asks the host; `params` need no token. */
  ask(method: SubcallMethod, params?: object, signal?: AbortSignal): Promise<SubcallResult>
  /** `null` where the call has none. */
  readonly token: string | null
  readonly input: CallInput | JobInput
}

/** Who calls which plugin. */
export interface CallOf {
  readonly user?: string
  readonly appId?: string
  readonly windowUuid?: string | null
  readonly slug?: 'asks' | 'other'
  /** What the plugin declares; everything where left out. */
  readonly capabilities?: readonly HostCapability[]
}

/** What the app of a test bed is. */
export interface AskBedOptions {
  readonly host_api?: ManifestInput['ui']['host_api']
  readonly grants?: unknown
  readonly limits?: Partial<Limits>
  readonly model?: ScriptedModel
}

/** A host with an app of ada's that may everything, and plugins that a test speaks for. */
export interface AskBed {
  readonly services: TestServices
  readonly appId: string
  readonly windowUuid: string
  readonly model: ScriptedModel
  /** Calls a plugin, and does `work` in its name while the call goes on. */
  within<T>(work: (side: CallSide) => T | Promise<T>, of?: CallOf): Promise<T>
  /** Does `work` in the next call or job that comes. */
  hear(work: (side: CallSide) => unknown): void
  /** One request in a call of its own. */
  ask(method: SubcallMethod, params?: object, of?: CallOf): Promise<SubcallResult>
  /** Makes a session of the plugin; returns its uuid. */
  session(order?: object, of?: CallOf): Promise<string>
  push(host_api: ManifestInput['ui']['host_api']): Promise<void>
  install(grants: unknown): Promise<void>
  uninstall(): Promise<void>
}

/** Everything that a plugin may ask for. */
export const EVERYTHING: readonly HostCapability[] = [
  'llm.sample',
  'llm.agent.auto',
  'llm.agent.fixed',
  'host.upload',
]
/** An app that may do everything that a plugin may ask for. */
export const HOST_API = {
  agent: { session: { auto: true, fixed: { client_ids: [] } } },
  llm: ['complete'],
  upload: ['inline'],
}
const ORIGIN = 'http://127.0.0.1:8787'

/** Opens one. It holds nothing that must be closed. */
export async function openAskBed(options: AskBedOptions = {}): Promise<AskBed> {
  const deaf = async (): Promise<CallOutcome> => answered({})
  let serve: (input: CallInput | JobInput) => Promise<CallOutcome> = deaf
  const runner: Runner = {
    install: async () => ({ ok: true }),
    call: (input) => serve(input),
    describe: async ({ id }) => ({
      ok: true,
      description: { name: id, tools: [{ name: 'all', parameters: [] }], host_capabilities: EVERYTHING },
    }),
    job: (input) => serve(input),
    stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
    close: async () => {},
  }
  const plugins = [
    { slug: 'asks', command: ['asks'] },
    { slug: 'other', command: ['other'] },
  ] as const
  const { limits, grants = { upload_grant: true }, host_api = HOST_API } = options
  const model = options.model ?? sayingModel('Hello', ' there')
  const models = {
    models: { default: { model: { ...model.model, doGenerate: generates }, vision: false } },
    embeddingModel: null,
    imageModel: null,
  }
  const services = testServices({ runner, plugins, models, ...(limits && { limits }) })
  await services.plugins.ready()
  const { app_id: appId } = await services.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const push: AskBed['push'] = async (api) => {
    const manifest = testManifest({
      host_api: api,
      required_plugs: ['asks', 'other'],
    })
    await services.apps.pushDraft('ada', appId, { manifest, files: filesOf({ 'index.html': '<p>' }) })
  }
  const install: AskBed['install'] = async (granted) => {
    await services.apps.install('ada', { app_id: appId, version: '0.0.0-draft', grants: granted })
  }
  const uninstall = async () => {
    const install = await services.copies.installs.get(installId('ada', appId))
    if (install) await services.apps.uninstall('ada', install.row.install_id)
  }
  await push(host_api)
  await install(grants)
  const { window_uuid: windowUuid } = await services.windows.open('ada', { app_id: appId })

  const hear: AskBed['hear'] = (work) => {
    serve = async (input) => {
      serve = deaf
      await work(sideOf(input))
      return answered({})
    }
  }
  const within: AskBed['within'] = async (work, of = {}) => {
    const userId = of.user ?? 'ada'
    const known = await services.plugins.find({ userId, version: null }, of.slug ?? 'asks')
    if (!known?.description || !known.link) throw new Error('there is no such plugin')
    const description = { ...known.description, host_capabilities: of.capabilities ?? EVERYTHING }
    const done: unknown[] = []
    hear(async (side) => void done.push(await work(side)))
    const ownWindow = userId === 'ada' && of.appId === undefined ? windowUuid : null
    await callNow(
      { services, userId },
      {
        plugin: { ...known, link: known.link, description },
        tool: 'all',
        args: {},
        calledAt: services.clock.now(),
        timeoutMs: 60_000,
        maxResultBytes: 1_000,
        signal: new AbortController().signal,
        place: { appId: of.appId ?? appId, session: null },
        onBehalf: {
          appId: of.appId ?? appId,
          windowUuid: of.windowUuid === undefined ? ownWindow : of.windowUuid,
          origin: ORIGIN,
        },
      },
    )
    return done[0] as Awaited<ReturnType<typeof work>>
  }
  const bed: AskBed = {
    services,
    appId,
    windowUuid,
    model,
    within,
    hear,
    push,
    install,
    uninstall,
    ask: (method, params, of) => within(({ ask }) => ask(method, params), of),
    async session(order = { agent_submode: 'auto' }, of) {
      const { result, error } = await bed.ask('agent/session.create', order, of)
      if (!result) throw new Error(error?.message)
      return result.app_session_uuid
    },
  }
  return bed
}

function sideOf(input: CallInput | JobInput): CallSide {
  const { subcalls } = input
  const asked =
    (face: Subcalls): CallSide['ask'] =>
    async (method, params = {}, signal) =>
      JSON.parse(
        JSON.stringify(await face.onRequest(method, params as never, signal ?? new AbortController().signal)),
      )
  const none: CallSide['ask'] = () => Promise.reject(new Error('the call has no token'))
  return { input, token: subcalls?.samplingToken ?? null, ask: subcalls ? asked(subcalls) : none }
}

/** Says the same whole as it streams. */
const generates: ScriptedModel['model']['doGenerate'] = async () => ({
  content: [{ type: 'text', text: 'Hello there' }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 5, text: 5, reasoning: undefined },
  },
  warnings: [],
})
