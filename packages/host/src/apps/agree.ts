import { type AgreedPlug, type Grants, limits, type PlugAnswer, refuse } from '@svc/contract'
import { update } from '@svc/state'
import { installId, installs, type VersionRow } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import { termsOf } from '../plugins/deployments/agreement.ts'
import { choose, sourceOf } from '../plugins/deployments/choose.ts'
import { declaredIn } from '../plugins/deployments/declared.ts'
import { type Deployable, isDeployable } from '../plugins/deployments/plugin-state.ts'
import { noSuchWindow, ownWindow } from '../windows/own-window.ts'
import type { AppNeeds } from './services.ts'

/** The answer of a user about a plugin of another user. */
export interface UserAnswer extends AgreedPlug {
  /** There alone, always or never. */
  readonly answer: PlugAnswer
}

/** Which plugins of others an install lets run. */
type Plugs = Pick<Grants, 'plugs' | 'plugs_never'>

/**
 * Reads which plugins an install is to let run. What the user said before stays; what is new must be what the user would
 * get now, and gets its digest. What needs no agreement, or is not declared any more, is left out. Errors:
 * `invalid_arg`, `conflict`.
 */
export async function readPlugs(
  services: AppNeeds,
  userId: string,
  version: VersionRow,
  { plugs = [], plugs_never = [] }: Plugs,
  before: Plugs = {},
): Promise<Plugs> {
  const declared = declaredIn(version.manifest).byName
  const agreed: AgreedPlug[] = []
  for (const one of plugs) {
    const known = before.plugs?.find(
      ({ tool_id, digest }) => tool_id === one.tool_id && digest === one.digest,
    )
    if (known && declared.has(one.tool_id)) agreed.push(known)
    if (known) continue
    const content = await agreeable(services, userId, version, one.tool_id)
    if (!content) throw refuse('invalid_arg', noSuchPlugin(one.tool_id), { path: 'grants.plugs' })
    if (content !== 'own') agreed.push(checkTerms(content, one))
  }
  const never = plugs_never.filter((toolId) => declared.has(toolId))
  return {
    ...(agreed.length > 0 && { plugs: agreed }),
    ...(never.length > 0 && { plugs_never: [...new Set(never)] }),
  }
}

/** Stores the answer of a user about a plugin that the app of a window declares. Errors: `not_found`, `conflict`. */
export async function agree(
  services: AppNeeds,
  userId: string,
  windowUuid: string,
  { answer, ...wanted }: UserAnswer,
): Promise<void> {
  const { tool_id } = wanted
  const window = await ownWindow(services, userId, windowUuid)
  const version = await services.copies.versions.get(window.row.version_id)
  const content = version && (await agreeable(services, userId, version.row, tool_id))
  if (!content) throw refuse('not_found', noSuchPlugin(tool_id))
  if (content === 'own') return
  const plug = checkTerms(content, wanted)
  await changeGrants(services, userId, window.row.app_id, ({ plugs = [], plugs_never = [] }) => ({
    plugs: [...plugs.filter((one) => one.tool_id !== tool_id), ...(answer === 'always' ? [plug] : [])].slice(
      -AGREED_MAX,
    ),
    plugs_never: [
      ...plugs_never.filter((id) => id !== tool_id),
      ...(answer === 'never' ? [tool_id] : []),
    ].slice(-AGREED_MAX),
  }))
  if (answer === 'once')
    await services.windows.change(windowUuid, (row) => ({
      ...row,
      agreed: [...new Set([...(row.agreed ?? []), plug.digest])].slice(-AGREED_MAX),
    }))
  if (answer === 'never') services.published.withdraw(userId, new Set([tool_id]))
  await notifyToolsChanged(services, userId, window.row.app_id)
}

/** Of how many plugins an install and a window remember what the user said: of as many as a manifest may declare. */
const AGREED_MAX = 2 * limits.PLUGS_MAX

/** Notifies the open windows of an app that their tools changed. */
export async function notifyToolsChanged(services: AppNeeds, userId: string, appId: string): Promise<void> {
  for (const { id, row } of await openWindowsUnder(services, 'openByUser', [userId]))
    if (row.app_id === appId) services.events.emit(userId, 'tools.changed', id, {})
  await services.events.told(userId)
}

/** What a user would get of a plugin that a version declares; `own`: it needs no agreement; `null`: it is not there. */
async function agreeable(
  { copies, limits }: AppNeeds,
  userId: string,
  version: VersionRow,
  toolId: string,
): Promise<Deployable | 'own' | null> {
  const declared = declaredIn(version.manifest).all.find((one) => one.tool_id === toolId)
  const content = declared && (await choose(sourceOf(copies), { userId, version }, declared, limits))
  if (!isDeployable(content)) return null
  return content.owner === userId ? 'own' : content
}

/** A plugin that is another now than the user was shown is not agreed to. Errors: `conflict`. */
function checkTerms(content: Deployable, { tool_id, version, digest }: AgreedPlug) {
  const terms = termsOf(content)
  if (terms.version === version && (digest ?? terms.digest) === terms.digest)
    return { tool_id, version, digest: terms.digest }
  throw refuse(
    'conflict',
    `the plugin ${JSON.stringify(tool_id)} is at version ${terms.version} now, got ${version}`,
    {
      version: terms.version,
      hint: 'Read what it is now (GET /api/v1/svc-apps/installs) and agree to that.',
    },
  )
}

const noSuchPlugin = (toolId: string) =>
  `this version of the app declares no plugin ${JSON.stringify(toolId)} that this user can reach`

interface PlugAnswers {
  readonly plugs: AgreedPlug[]
  readonly plugs_never: string[]
}

async function changeGrants(
  { copies, store }: AppNeeds,
  userId: string,
  appId: string,
  change: (grants: Grants) => PlugAnswers,
): Promise<void> {
  const id = installId(userId, appId)
  const record = await update(store, installs, id, (row) => {
    if (!row) return null
    const { plugs: _, plugs_never: __, ...grants } = row.grants
    const { plugs, plugs_never } = change(row.grants)
    const next = {
      ...grants,
      ...(plugs.length > 0 && { plugs }),
      ...(plugs_never.length > 0 && { plugs_never }),
    }
    return { ...row, grants: next }
  })
  if (!record) throw noSuchWindow()
  copies.installs.drop(id, record)
}
