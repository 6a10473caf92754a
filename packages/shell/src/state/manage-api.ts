import type { AgreedPlug, Distribution, Grants, PlugAnswer } from '@svc/contract'
import type { RouteAnswer, RouteInput, RouteInputs, RouteKey } from '@svc/contract/route-client'
import type { ListedPlug, MintedDraft, OwnPlug, PlugType, PlugVersion, VersionPreview } from './plug.ts'
import type { Runner } from './runner.ts'

/** What is written of a plugin, as the routes take it. */
export type PlugBody = NonNullable<RouteInput<'PATCH /plugs/my/tools/{tool_id}'>['body']>

/** How a version is marked. */
export type Mark = RouteInput<'PATCH /plugs/my/tools/{tool_id}/versions/{version}'>['body']

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

/** Asks a route and returns its body. @throws BridgeError */
export type Ask = <Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) => Promise<RouteAnswer<Key>>

/** Speaks these routes. */
export function createManageApi(ask: Ask): ManageApi {
  return {
    ownPlugs: async () => (await ask('GET /plugs/my/tools')).plugs,
    async otherPlugs(cursor) {
      const page = await ask('GET /plugs', { query: { ...(cursor !== null && { cursor }) } })
      return { plugs: page.plugs.filter((plug) => !plug.own), next: page.next_cursor }
    },
    plug: (tool_id) => ask('GET /plugs/my/tools/{tool_id}', { params: { tool_id } }),
    versions: async (tool_id) =>
      (await ask('GET /plugs/my/tools/{tool_id}/versions', { params: { tool_id } })).versions,
    mint: (body) => ask('POST /plugs/my/drafts', { body }),
    describe: async (distribution) =>
      (await ask('POST /plugs/my/describe', { body: { distribution } })).manifest,
    commit: (draft_id, body) =>
      ask('POST /plugs/my/drafts/{draft_id}/commit', { params: { draft_id }, body }),
    edit: (tool_id, body) => ask('PATCH /plugs/my/tools/{tool_id}', { params: { tool_id }, body }),
    async remove(tool_id) {
      await ask('DELETE /plugs/my/tools/{tool_id}', { params: { tool_id } })
    },
    preview: async (tool_id, body) =>
      (await ask('POST /plugs/my/tools/{tool_id}/versions', {
        params: { tool_id },
        query: { dry_run: '1' },
        body,
      })) as VersionPreview,
    publish: async (tool_id, body) =>
      (await ask('POST /plugs/my/tools/{tool_id}/versions', { params: { tool_id }, body })) as PlugVersion,
    mark: (tool_id, version, body) =>
      ask('PATCH /plugs/my/tools/{tool_id}/versions/{version}', { params: { tool_id, version }, body }),
    runners: async () => (await ask('GET /api/v1/svc-apps/runners')).runners,
    enrol: (name) => ask('POST /api/v1/svc-apps/runners', { body: { name } }),
    async revoke(runner_id) {
      await ask('DELETE /api/v1/svc-apps/runners/{runner_id}', { params: { runner_id } })
    },
    async install(body) {
      await ask('POST /api/v1/svc-apps/installs', { body })
    },
    async uninstall(install_id) {
      await ask('DELETE /api/v1/svc-apps/installs/{install_id}', { params: { install_id } })
    },
    async forgetApprovals(app_id) {
      await ask('DELETE /api/v1/svc-apps/apps/{app_id}/approvals', { params: { app_id } })
    },
    async agree(window_uuid, body) {
      await ask('POST /api/v1/svc-apps/windows/{window_uuid}/plugs', { params: { window_uuid }, body })
    },
  }
}
