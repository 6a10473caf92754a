import type {
  AgreedPlug,
  Distribution,
  Grants,
  PlugAnswer,
  PluginManifest,
  SnapshotStatus,
} from '@svc/contract'
import type { Install } from './install.ts'
import type { ListedPlug, MintedDraft, OwnPlug, PlugType, PlugVersion, VersionPreview } from './plug.ts'
import type { Runner } from './runner.ts'

/** What is written of a plugin, as the routes take it. */
export interface PlugBody {
  readonly name?: string
  readonly manifest?: PluginManifest
  readonly distribution?: Distribution
  readonly visibility?: OwnPlug['visibility']
  readonly logo_url?: string | null
  readonly readme?: string | null
  readonly sample_prompts?: readonly string[]
  readonly tags?: readonly string[]
}

/** How a version is marked. */
export interface Mark {
  readonly status: SnapshotStatus
  readonly reason?: string
  readonly successor?: string
}

/** The routes of plugins, runners and installs. Every one rejects with a `BridgeError`. */
export interface ManageApi {
  ownPlugs(): Promise<readonly ListedPlug[]>
  /** What others published, page by page. */
  otherPlugs(cursor: string | null): Promise<{ plugs: readonly ListedPlug[]; next: string | null }>
  plug(toolId: string): Promise<OwnPlug>
  /** The newest first. */
  versions(toolId: string): Promise<readonly PlugVersion[]>
  mint(named: { readonly name: string; readonly type: PlugType }): Promise<MintedDraft>
  /** Has a runner install the plugin and ask what it can do. */
  describe(distribution: Distribution): Promise<unknown>
  commit(draftId: string, body: PlugBody): Promise<OwnPlug>
  edit(toolId: string, body: PlugBody): Promise<OwnPlug>
  remove(toolId: string): Promise<void>
  preview(toolId: string, body: { readonly version?: string }): Promise<VersionPreview>
  publish(toolId: string, body: { readonly version?: string }): Promise<PlugVersion>
  mark(toolId: string, version: string, mark: Mark): Promise<PlugVersion>
  runners(): Promise<readonly Runner[]>
  enrol(name: string): Promise<{ readonly runner_id: string; readonly token: string }>
  revoke(runnerId: string): Promise<void>
  installs(): Promise<readonly Install[]>
  install(wanted: {
    readonly app_id: string
    readonly version: string
    readonly grants: Grants
  }): Promise<void>
  uninstall(installId: string): Promise<void>
  /** Takes back every `always` that the user said to destructive tools in an app. */
  forgetApprovals(appId: string): Promise<void>
  /** Says whether a plugin of another may run for the app of a window. */
  agree(windowUuid: string, answer: AgreedPlug & { readonly answer: PlugAnswer }): Promise<void>
}

/** Asks a route and answers its body; `answerMs` where it may take long. */
type Request = (method: string, path: string, body?: unknown, answerMs?: number) => Promise<unknown>

/** More than the host gives an install and a describe: its own word on what went wrong comes first. */
export const DESCRIBE_MS = 330_000

const OWN = '/plugs/my/tools'
const DRAFTS = '/plugs/my/drafts'
const RUNNERS = '/api/v1/svc-apps/runners'
const APPS = '/api/v1/svc-apps/apps'
const INSTALLS = '/api/v1/svc-apps/installs'
const WINDOWS = '/api/v1/svc-apps/windows'

/** Speaks these routes. */
export function createManageApi(request: Request): ManageApi {
  const ask = async <Shape>(...asked: Parameters<Request>) => (await request(...asked)) as Shape
  const done = async (...asked: Parameters<Request>) => void (await request(...asked))
  const own = (toolId: string, more = '') => `${OWN}/${encodeURIComponent(toolId)}${more}`
  return {
    ownPlugs: async () => (await ask<{ plugs: readonly ListedPlug[] }>('GET', OWN)).plugs,
    async otherPlugs(cursor) {
      const query = cursor === null ? '' : `?${new URLSearchParams({ cursor })}`
      const page = await ask<{ plugs: readonly ListedPlug[]; next_cursor: string | null }>(
        'GET',
        `/plugs${query}`,
      )
      return { plugs: page.plugs.filter((plug) => !plug.own), next: page.next_cursor }
    },
    plug: (toolId) => ask('GET', own(toolId)),
    versions: async (toolId) =>
      (await ask<{ versions: readonly PlugVersion[] }>('GET', own(toolId, '/versions'))).versions,
    mint: (named) => ask('POST', DRAFTS, named),
    describe: async (distribution) =>
      (await ask<{ manifest: unknown }>('POST', '/plugs/my/describe', { distribution }, DESCRIBE_MS))
        .manifest,
    commit: (draftId, body) => ask('POST', `${DRAFTS}/${encodeURIComponent(draftId)}/commit`, body),
    edit: (toolId, body) => ask('PATCH', own(toolId), body),
    remove: (toolId) => done('DELETE', own(toolId)),
    preview: (toolId, body) => ask('POST', own(toolId, '/versions?dry_run=1'), body),
    publish: (toolId, body) => ask('POST', own(toolId, '/versions'), body),
    mark: (toolId, version, mark) =>
      ask('PATCH', own(toolId, `/versions/${encodeURIComponent(version)}`), mark),
    runners: async () => (await ask<{ runners: readonly Runner[] }>('GET', RUNNERS)).runners,
    enrol: (name) => ask('POST', RUNNERS, { name }),
    revoke: (runnerId) => done('DELETE', `${RUNNERS}/${encodeURIComponent(runnerId)}`),
    installs: async () => (await ask<{ installs: readonly Install[] }>('GET', INSTALLS)).installs,
    install: (wanted) => done('POST', INSTALLS, wanted),
    uninstall: (installId) => done('DELETE', `${INSTALLS}/${encodeURIComponent(installId)}`),
    forgetApprovals: (appId) => done('DELETE', `${APPS}/${encodeURIComponent(appId)}/approvals`),
    agree: (uuid, answer) => done('POST', `${WINDOWS}/${encodeURIComponent(uuid)}/plugs`, answer),
  }
}
