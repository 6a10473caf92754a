import { refuse, wrongArg } from '@svc/contract'
import { type HostCapability, sessionNeeds } from '@svc/contract/stdio'
import { declares, grants } from '../../access/manifest.ts'
import type { WorkServices } from '../services.ts'
import type { SessionRow } from '../sessions/session-row.ts'
import { type AppRights, appRights } from '../sessions/tool-rights.ts'
import type { Sampling } from './samplings.ts'

/** The capability that a session takes of its plugin, and the method of the host API that its app has to declare. */
export function needsOf({ kind, submode }: Pick<SessionRow, 'kind' | 'submode'>) {
  if (kind === 'complete')
    return { capability: sessionNeeds.complete, ns: 'llm', method: 'complete' } as const
  if (submode === null)
    throw wrongArg('agent_submode', 'must be "auto" or "fixed" for the kind agent, got nothing')
  return { capability: sessionNeeds[submode], ns: 'agent', method: 'session.create' } as const
}

/** Refuses what the plugin did not declare in its own manifest. Errors: `permission_denied`. */
export function checkCapability({ plugin }: Pick<Sampling, 'plugin'>, capability: HostCapability): void {
  if (plugin.description?.host_capabilities?.includes(capability)) return
  throw refuse('permission_denied', `the plugin ${plugin.handle} does not declare ${capability}`, {
    denied_by: 'plugin',
    hint: `Add ${JSON.stringify(capability)} to host_capabilities in its manifest.`,
  })
}

/**
 * The rights of the app behind a call, as they are now, where it may do this itself: what an app may not do, none of
 * its plugins may do for it. Errors: `not_found`, `permission_denied`.
 */
export async function checkAppRights(
  services: Pick<WorkServices, 'clock' | 'copies' | 'limits'>,
  sampling: Sampling,
  { ns, method }: { readonly ns: string; readonly method: string },
): Promise<AppRights> {
  const rights = await appRights(services, sampling)
  const declared = declares(rights.version.manifest, ns, method)
  const verdict = declared.admitted ? grants(rights.install.grants, ns) : declared
  if (verdict.admitted) return rights
  throw refuse(
    'permission_denied',
    `the app of this call may not call ${ns}.${method}, nor may its plugins`,
    {
      denied_by: verdict.deniedBy,
      hint: verdict.hint,
    },
  )
}
