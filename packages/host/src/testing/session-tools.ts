import type { ManifestInput } from '@svc/contract'
import type { CallInput, CallOutcome, Runner } from '@svc/runner'
import { installId } from '../catalog/records.ts'
import type { SessionRecord } from '../work/sessions/session-row.ts'
import { type SessionTool, sessionTools, type ToolAnswer } from '../work/sessions/session-tools.ts'
import type { SessionOrder } from '../work/sessions/sessions.ts'
import { answered } from './jobs-runner.ts'
import {
  filesOf,
  type TestServices,
  type TestServicesOptions,
  testManifest,
  testServices,
} from './services.ts'

/** What the app of a tool bed is. */
export interface AppOptions {
  readonly host_api?: ManifestInput['ui']['host_api']
  readonly required_plugs?: readonly string[]
  readonly grants?: unknown
}

/** How the services of a tool bed are opened. */
export interface BedOptions extends TestServicesOptions {
  /** Plugins describe themselves after this. Default: at once. */
  readonly described?: Promise<void>
}

/** An app of ada's with a window, whose sessions a test asks for their tools. */
export interface ToolBed {
  readonly services: TestServices
  readonly appId: string
  readonly windowUuid: string
  /** The calls that plugins got, in order. */
  readonly calls: CallInput[]
  /** What the next calls of plugins answer; an echo of their arguments where it is not set. */
  answer: ((input: CallInput) => Promise<CallOutcome>) | null
  /** Makes a session in the window, with the rights of now. */
  session(order?: Partial<SessionOrder>): Promise<SessionRecord>
  /** The tools of a session, with the rights of now. */
  tools(session: SessionRecord): Promise<readonly SessionTool[]>
  /** The names of the tools that a session made like this has. */
  names(order?: Partial<SessionOrder>): Promise<string[]>
  /** Has a tool of a session called that it has. */
  call(session: SessionRecord, name: string, args?: unknown, signal?: AbortSignal): Promise<ToolAnswer>
  push(app: AppOptions): Promise<void>
  install(grants: unknown): Promise<void>
  uninstall(): Promise<void>
}

/** Both submodes. */
export const BOTH = { auto: true, fixed: { client_ids: [] } }
/** The plugins of every tool bed: each says that it has the tools `all` and `slow`. */
export const PLUGINS = [
  { slug: 'build', command: ['build'] },
  { slug: 'stats', command: ['stats'] },
] as const

/** A signal that never fires. */
export const never = (): AbortSignal => new AbortController().signal

const runnerOver = (bed: Pick<ToolBed, 'answer' | 'calls'>, described: Promise<void>): Runner => ({
  install: async () => ({ ok: true }),
  call(input) {
    bed.calls.push(input)
    return bed.answer?.(input) ?? Promise.resolve(answered({ tool: input.tool, args: input.args }))
  },
  async describe({ id }) {
    await described
    const tools = [
      { name: 'all', description: 'Does all.', parameters: [], input_schema: { properties: {} } },
      { name: 'slow', parameters: [], timeout_ms: 80_000 },
    ]
    return { ok: true, description: { name: id, tools } }
  },
  job: async () => answered({}),
  stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
  close: async () => {},
})

/** Opens one. It holds nothing that must be closed. */
export async function openToolBed(app: AppOptions = {}, options: BedOptions = {}): Promise<ToolBed> {
  const heard: Pick<ToolBed, 'answer' | 'calls'> = { answer: null, calls: [] }
  const { described = Promise.resolve(), ...rest } = options
  const services = testServices({ runner: runnerOver(heard, described), plugins: PLUGINS, ...rest })
  const { app_id: appId } = await services.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const push = async ({ host_api = { agent: { session: BOTH } }, required_plugs = [] }: AppOptions) => {
    const manifest = testManifest({
      host_api,
      required_plugs: [...required_plugs],
    })
    await services.apps.pushDraft('ada', appId, { manifest, files: filesOf({ 'index.html': '<p>' }) })
  }
  const install = async (grants: unknown) => {
    await services.apps.install('ada', { app_id: appId, version: '0.0.0-draft', grants })
  }
  await push(app)
  await install(app.grants ?? {})
  const { window_uuid: windowUuid } = await services.windows.open('ada', { app_id: appId })
  const rightsNow = async () => {
    const install = await services.copies.installs.get(installId('ada', appId))
    const version = install && (await services.copies.versions.get(install.row.version_id))
    if (!install || !version) throw new Error('the app is not installed')
    return { install: install.row, version: version.row }
  }
  const bed: ToolBed = Object.assign(heard, {
    services,
    appId,
    windowUuid,
    push,
    install,
    session: async (order: Partial<SessionOrder> = {}) =>
      services.sessions.create({
        userId: 'ada',
        appId,
        windowUuid,
        pluginId: null,
        kind: 'agent',
        submode: 'auto',
        fixedClientId: null,
        label: null,
        systemPrompt: null,
        caps: {},
        ...(await rightsNow()),
        ...order,
      }),
    tools: async (session: SessionRecord) => sessionTools(services, { session, ...(await rightsNow()) }),
    names: async (order: Partial<SessionOrder> = {}) =>
      (await bed.tools(await bed.session(order))).map(({ name }) => name),
    async call(session: SessionRecord, name: string, args: unknown = {}, signal = never()) {
      const tool = (await bed.tools(session)).find((one) => one.name === name)
      if (!tool) throw new Error(`the session has no tool ${name}`)
      return tool.call(args, signal)
    },
    async uninstall() {
      const { install } = await rightsNow()
      await services.apps.uninstall('ada', install.install_id)
    },
  })
  return bed
}

/** The id of a plugin of the bed. */
export async function pluginId({ services }: ToolBed, slug: string): Promise<string> {
  const found = await services.plugins.find({ userId: 'ada', version: null }, slug)
  if (!found) throw new Error(`there is no plugin ${slug}`)
  return found.tool_id
}
