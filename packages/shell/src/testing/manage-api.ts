import type { BridgeError } from '@svc/bridge'
import type { PluginManifest } from '@svc/contract'
import type { RouteAnswer, RouteInput, RouteKey } from '@svc/contract/route-client'
import type { Install } from '../state/install.ts'
import type { ListedPlug, OwnPlug, PlugVersion } from '../state/plug.ts'
import type { Runner } from '../state/runner.ts'
import { listedOf, plugOf, refusal, runnerOf, versionOf } from './manage-rows.ts'

/** What a host answers to its routes. */
export type Routes = {
  readonly [Key in RouteKey]?: (input: RouteInput<Key>) => Promise<RouteAnswer<Key>>
}

/** What a host has of plugins, runners and installs, in memory, for tests of the page. */
export interface FakeManage {
  readonly routes: Routes
  /** What was asked, in order: `mint weather`. */
  readonly asked: string[]
  plugs: readonly OwnPlug[]
  others: readonly ListedPlug[]
  /** How many own plugins a page has. */
  ownPage: number
  versions: Readonly<Record<string, readonly PlugVersion[]>>
  runners: readonly Runner[]
  installs: readonly Install[]
  /** What a runner says that a plugin can do; `null`: none is online. */
  described: PluginManifest | null
  /** What every request fails with, or `null`. */
  trouble: BridgeError | null
  /** Set: every answer waits for it. */
  hold: Promise<void> | null
  expiresAt: string
}

/** Makes the fake. */
export function fakeManage(): FakeManage {
  const asked: string[] = []
  async function ask<Answer>(what: string, answer: () => Answer): Promise<Answer> {
    const { hold, trouble } = fake
    asked.push(what)
    await hold
    if (trouble) throw trouble
    return answer()
  }
  const find = (toolId: string) => {
    const plug = fake.plugs.find(({ tool_id }) => tool_id === toolId)
    if (!plug) throw refusal('not_found', `there is no plugin ${toolId} of this user`)
    return plug
  }
  const put = (plug: OwnPlug) => {
    fake.plugs = [plug, ...fake.plugs.filter(({ tool_id }) => tool_id !== plug.tool_id)]
    return plug
  }
  const named = (list: string, search: string, cursor = '') =>
    [list, search, cursor].filter((word) => word !== '').join(' ')
  const pageOf = (
    plugs: readonly ListedPlug[],
    page: { readonly search: string; readonly cursor: string | undefined; readonly size: number },
  ) => {
    const from = Number(page.cursor ?? 0)
    const to = from + page.size
    const found = plugs.slice(from, to).filter(({ name }) => name.includes(page.search))
    return { plugs: found, next_cursor: to < plugs.length ? String(to) : null }
  }
  const versionsOf = (toolId: string) => fake.versions[toolId] ?? []
  const isSame = (toolId: string) =>
    versionsOf(toolId).some(({ version }) => version === find(toolId).version)
  const fake: FakeManage = {
    asked,
    plugs: [],
    others: [],
    ownPage: 100,
    versions: {},
    runners: [],
    installs: [],
    described: null,
    trouble: null,
    hold: null,
    expiresAt: '2026-01-02T12:00:00.000Z',
    routes: {
      'GET /plugs/my/tools': ({ query: { search = '', cursor } = {} }) =>
        ask(named('own plugs', search, cursor), () =>
          pageOf(fake.plugs.map(listedOf), { search, cursor, size: fake.ownPage }),
        ),
      'GET /plugs': ({ query: { search = '', cursor } = {} }) =>
        ask(named('others', search, cursor), () => pageOf(fake.others, { search, cursor, size: 1 })),
      'GET /plugs/my/tools/{tool_id}': ({ params: { tool_id } }) =>
        ask(`plug ${tool_id}`, () => find(tool_id)),
      'GET /plugs/my/tools/{tool_id}/versions': ({ params: { tool_id } }) =>
        ask(`versions ${tool_id}`, () => ({ versions: [...versionsOf(tool_id)] })),
      'POST /plugs/my/drafts': ({ body: { name, type = 'tool' } }) =>
        ask(`mint ${name} ${type}`, () => ({
          draft_id: `drf_${name}`,
          tool_id: `tool-ada-${name}-1`,
          expires_at: fake.expiresAt,
        })),
      'POST /plugs/my/describe': ({ body }) =>
        ask(`describe ${JSON.stringify(body.distribution)}`, () => {
          if (fake.described) return { manifest: fake.described }
          throw refusal('agent_unavailable', 'No runner of this user is online.', { hint: 'Start one.' })
        }),
      'POST /plugs/my/drafts/{draft_id}/commit': ({ params: { draft_id }, body }) =>
        ask(`commit ${draft_id}`, () => put(plugOf(draft_id.slice(4), body as Partial<OwnPlug>))),
      'PATCH /plugs/my/tools/{tool_id}': ({ params: { tool_id }, body = {} }) =>
        ask(`edit ${tool_id} ${Object.keys(body).join()}`, () =>
          put({ ...find(tool_id), ...(body as Partial<OwnPlug>) }),
        ),
      'DELETE /plugs/my/tools/{tool_id}': ({ params }) =>
        ask(`remove ${params.tool_id}`, () => {
          fake.plugs = fake.plugs.filter(({ tool_id }) => tool_id !== params.tool_id)
          return {}
        }),
      'POST /plugs/my/tools/{tool_id}/versions': ({ params: { tool_id }, query, body }) => {
        const { version = '1.0.1' } = body ?? {}
        if (query?.dry_run)
          return ask(`preview ${tool_id}`, () => ({
            dry_run: true,
            from: versionsOf(tool_id)[0]?.version ?? null,
            version: isSame(tool_id) ? null : version,
            changes: {
              added: [],
              removed: [],
              changed: isSame(tool_id) ? [] : ['manifest.tools.forecast.description'],
              truncated: false,
            },
          }))
        return ask(`publish ${tool_id} ${version}`, () => {
          if (isSame(tool_id))
            throw refusal('no_content_changes', 'There are no content changes since the last version.')
          const one = { ...versionOf(version), tool_id }
          fake.versions = { ...fake.versions, [tool_id]: [one, ...versionsOf(tool_id)] }
          return one
        })
      },
      'PATCH /plugs/my/tools/{tool_id}/versions/{version}': ({
        params: { tool_id, version },
        body: { status, reason = null, successor = null },
      }) =>
        ask(`mark ${version} ${status} ${reason} ${successor}`, () => {
          const marked = { status, reason, successor }
          const all = versionsOf(tool_id).map((one) =>
            one.version === version ? { ...one, ...marked } : one,
          )
          fake.versions = { ...fake.versions, [tool_id]: all }
          const found = all.find((one) => one.version === version)
          if (!found) throw refusal('not_found', `there is no version ${version}`)
          return found
        }),
      'GET /api/v1/svc-apps/runners': () => ask('runners', () => ({ runners: [...fake.runners] })),
      'POST /api/v1/svc-apps/runners': ({ body: { name } }) =>
        ask(`enrol ${name}`, () => {
          fake.runners = [...fake.runners, runnerOf(name, { state: 'offline', machine: null })]
          return { runner_id: `rnr_${name}`, token: `svcr_${name}` }
        }),
      'DELETE /api/v1/svc-apps/runners/{runner_id}': ({ params }) =>
        ask(`revoke ${params.runner_id}`, () => {
          fake.runners = fake.runners.filter(({ runner_id }) => runner_id !== params.runner_id)
          return {}
        }),
      'POST /api/v1/svc-apps/installs': ({ body: { app_id, version, grants = {} } }) =>
        ask(`install ${app_id} ${version} ${JSON.stringify(grants)}`, () => {
          fake.installs = fake.installs.map((one) =>
            one.app_id === app_id
              ? { ...one, version, grants: grants as Install['grants'], newer: null }
              : one,
          )
          return { install_id: `ins_${app_id}` }
        }),
      'DELETE /api/v1/svc-apps/apps/{app_id}/approvals': ({ params: { app_id } }) =>
        ask(`forget approvals ${app_id}`, () => {
          fake.installs = fake.installs.map((one) => (one.app_id === app_id ? { ...one, approved: [] } : one))
          return {}
        }),
      'DELETE /api/v1/svc-apps/installs/{install_id}': ({ params }) =>
        ask(`uninstall ${params.install_id}`, () => {
          fake.installs = fake.installs.filter(({ install_id }) => install_id !== params.install_id)
          return {}
        }),
    },
  }
  return fake
}
