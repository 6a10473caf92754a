import { type Manifest, refuse, wrongArg } from '@svc/contract'
import { toolDenial } from '../../access/manifest.ts'
import type { VersionRow } from '../../catalog/records.ts'
import { declaredIn } from '../../plugins/deployments/declared.ts'
import type { KnownPlugin, Seeker } from '../../plugins/deployments/plugins.ts'
import type { SessionRow } from './session-row.ts'
import type { SessionOrder, SessionParts } from './sessions.ts'

const denied = (deniedBy: 'manifest' | 'user', message: string, hint: string) =>
  refuse('permission_denied', message, { denied_by: deniedBy, hint })

/**
 * Judges the submode of a session: enabled in the manifest, and for `fixed` a plugin that the user
 * owns, or of the operator's and declared, and the manifest lists, where it lists any. Gives what the session is
 * bound to. Errors: `invalid_arg`,
 * `permission_denied`.
 */
export async function judgeSubmode(
  { plugins }: Pick<SessionParts, 'plugins'>,
  order: Pick<SessionOrder, 'kind' | 'submode' | 'fixedClientId' | 'userId' | 'version'>,
): Promise<Pick<SessionRow, 'submode' | 'fixed_client_id'>> {
  if (order.kind === 'complete') return { submode: null, fixed_client_id: null }
  const { submode, fixedClientId, userId, version } = order
  const { auto, fixed } = version.manifest.ui.host_api.agent?.session ?? { auto: false, fixed: null }
  if (submode === null) throw wrongArg('submode', 'must be "auto" or "fixed", got nothing')
  if (submode === 'auto') {
    if (!auto) throw notEnabled(submode)
    return { submode, fixed_client_id: null }
  }
  if (!fixed) throw notEnabled(submode)
  if (fixedClientId === null)
    throw wrongArg('fixed_client_id', 'is required for the submode fixed', {
      hint: 'Send the tool_id of the plugin; tools.list returns it.',
    })
  const plugin = await plugins.find(clientSeeker(userId, version, fixedClientId), fixedClientId)
  const isClient = plugin !== undefined && clientDenial(version.manifest, userId, plugin) === null
  return { submode, fixed_client_id: judgeClient(fixed, fixedClientId, isClient ? plugin : undefined) }
}

/**
 * Who looks for a fixed client: the app, at its version, where it declares that plugin; else the user, whose own
 * plugins need no app to be named in.
 */
export function clientSeeker(userId: string, version: VersionRow, clientId: string): Seeker {
  const isDeclared = declaredIn(version.manifest).byName.has(clientId)
  return { userId, version: isDeclared ? version : null }
}

/**
 * Why a plugin is not a fixed client for a user in an app; `null`: it is one. The user's own needs no line in the
 * manifest but the submode; the operator's is everybody's, so the app declares it, as for `tools.invoke`.
 */
export function clientDenial(
  manifest: Manifest,
  userId: string,
  plugin: Pick<KnownPlugin, 'tool_id' | 'handle' | 'owner'>,
): string | null {
  if (plugin.owner === userId) return null
  return plugin.owner === undefined ? toolDenial(manifest, plugin) : 'A fixed client is a plugin of its user.'
}

const notEnabled = (submode: 'auto' | 'fixed') =>
  denied(
    'manifest',
    `the submode ${submode} is not enabled for this app`,
    submode === 'auto'
      ? 'Set ui.host_api.agent.session.auto to true in the manifest.'
      : 'Set ui.host_api.agent.session.fixed to {"client_ids": []} in the manifest.',
  )

type Fixed = NonNullable<NonNullable<Manifest['ui']['host_api']['agent']>['session']['fixed']>

/** The `tool_id` of the plugin; a manifest and a call may name it by its handle too. Its absence is reported last. */
function judgeClient({ client_ids }: Fixed, named: string, plugin: KnownPlugin | undefined): string {
  const names = plugin ? [plugin.tool_id, plugin.handle] : [named]
  const quoted = JSON.stringify(named)
  if (client_ids.length > 0 && !client_ids.some((id) => names.includes(id)))
    throw denied(
      'manifest',
      `the plugin ${quoted} is not among the fixed clients of this app`,
      `Add ${quoted} to ui.host_api.agent.session.fixed.client_ids in the manifest.`,
    )
  if (!plugin)
    throw denied(
      'user',
      `this user has no plugin ${quoted}`,
      'Send the tool_id of a plugin of this user. A plugin of the operator also has to be in required_plugs or optional_plugs, and in ui.host_api.tools where that lists any.',
    )
  return plugin.tool_id
}
