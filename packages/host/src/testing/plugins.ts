import { type Grants, type Limits, type ManifestInput, type Plug, Refusal } from '@svc/contract'
import { installId } from '../catalog/records.ts'
import type { CallContext } from '../edge/handlers/context.ts'
import { tools } from '../edge/handlers/tools.ts'
import { JsonText } from '../kernel/json.ts'
import { listTools } from '../plugins/deployments/entries.ts'
import { publishingTwin } from '../twins.ts'
import { named, tool } from './publishing.ts'
import { type HandRunners, handRunners, readyRunner } from './runners.ts'
import {
  filesOf,
  type TestServices,
  type TestServicesOptions,
  testManifest,
  testServices,
} from './services.ts'

/** An app that a user has open. */
export interface OpenApp {
  readonly appId: string
  readonly userId: string
  readonly windowUuid: string
}

/** A host in which users publish plugins, have apps and enrol runners. */
export interface PluginBed {
  readonly services: TestServices
  readonly runners: HandRunners
  /** Publishes a plugin; returns its id. */
  publish(userId: string, body?: object): Promise<string>
  /** An app of a user, with a draft that declares plugs; returns its id. */
  app(owner: string, plugs: readonly Plug[], change?: Partial<ManifestInput>): Promise<string>
  push(owner: string, appId: string, plugs: readonly Plug[], change?: Partial<ManifestInput>): Promise<void>
  /** Installs a version for a user, who agrees to its plugins as they are then, and opens a window of it. */
  open(userId: string, appId: string, version?: string): Promise<OpenApp>
  /** Installs a version for a user with these grants, and opens a window of it. */
  openWith(userId: string, appId: string, grants: Grants, version?: string): Promise<OpenApp>
  /** The user agrees to the plugins of an app as they are now. */
  agree(app: OpenApp): Promise<void>
  /** What a handler knows of a call in a window. */
  context(app: OpenApp): Promise<CallContext>
  /** What `tools.list` answers in a window: of each plugin what its tool is described as, and its status. */
  list(app: OpenApp): Promise<string[]>
  /** The version that a call in a window ran, or the code of its refusal and its sentence. */
  invoke(app: OpenApp, toolId: string, method?: string): Promise<string>
  /** The windows that heard that their tools changed, since the last time. */
  told(): Promise<(string | null)[]>
}

/** Opens one. It holds nothing that must be closed. */
export function openPluginBed(
  limits: Partial<Limits> = {},
  operator: Pick<TestServicesOptions, 'models' | 'plugins' | 'runner' | 'store'> = {},
): PluginBed {
  const runners = handRunners()
  const services = testServices({ runners, limits, ...operator })
  let apps = 0

  const push: PluginBed['push'] = async (owner, appId, plugs, change = {}) => {
    const manifest = testManifest({ required_plugs: [...plugs], ...change })
    await services.apps.pushDraft(owner, appId, { manifest, files: filesOf({ 'index.html': '<p>' }) })
  }
  async function contextOf({ appId, userId, windowUuid }: OpenApp): Promise<CallContext> {
    const install = await services.copies.installs.get(installId(userId, appId))
    const window = await services.copies.windows.get(windowUuid)
    const version = window && (await services.copies.versions.get(window.row.version_id))
    if (!install || !window || !version) throw new Error('the app is not installed')
    return {
      services,
      userId,
      version: version.row,
      install: install.row,
      window,
      origin: 'http://host',
      bodyBytes: 100,
      gone: () => new AbortController().signal,
    }
  }
  const openWith: PluginBed['openWith'] = async (userId, appId, grants, version = '0.0.0-draft') => {
    await services.apps.install(userId, { app_id: appId, version, grants })
    const { window_uuid } = await services.windows.open(userId, { app_id: appId })
    return { appId, userId, windowUuid: window_uuid }
  }
  async function agree({ appId, userId, windowUuid }: OpenApp) {
    const install = (await services.apps.installs(userId)).find(({ app_id }) => app_id === appId)
    for (const plug of install?.asks.plugs ?? [])
      await services.apps.agree(userId, windowUuid, { ...plug, answer: 'always' })
  }
  // As an embedding server has it: what comes in is read by the rows.
  const publishing = publishingTwin(services.publishing)
  return {
    services,
    runners,
    push,
    publish: async (userId, body = {}) =>
      (await publishing.create(userId, { ...named, ...tool, ...body })).tool_id,
    async app(owner, plugs, change) {
      apps += 1
      const { app_id } = await services.apps.register(owner, { slug: `app-${apps}`, name: 'App' })
      await push(owner, app_id, plugs, change)
      return app_id
    },
    async open(userId, appId, version) {
      const app = await openWith(userId, appId, {}, version)
      await agree(app)
      return app
    },
    openWith,
    agree,
    context: contextOf,
    async list(app) {
      const listed = await listTools(services, await contextOf(app))
      return listed.map(({ description, status }) => `${description} ${status}`)
    },
    async invoke(app, tool_id, method = 'forecast') {
      try {
        const answer = await tools.invoke({ tool_id, method }, await contextOf(app))
        return answer instanceof JsonText ? JSON.parse(answer.json).version : 'no text'
      } catch (error) {
        if (error instanceof Refusal) return `${error.code}: ${error.message}`
        throw error
      }
    },
    async told() {
      await services.clock.advance(0)
      const heard = services.emittedOf('tools.changed').map(({ windowUuid }) => windowUuid)
      services.emitted.length = 0
      return heard
    },
  }
}

/** Ada's plugin, with ada's and bob's runners ready. */
export async function withPlugin(visibility: string) {
  const bed = openPluginBed()
  for (const user of ['ada', 'bob', 'eve']) bed.runners.connect(user, readyRunner('forecast'))
  const toolId = await bed.publish('ada', { visibility })
  return { ...bed, toolId }
}

/** What a call answers of a plugin that is not there. */
export const NOT_THERE = /^agent_unavailable: no runner of this user has the plugin/
