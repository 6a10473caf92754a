import type { Methods, ResultOf } from '@svc/contract'
import { blockedBy, grantedTools, namedTools } from '../../apps/eligible.ts'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import type { WorkServices } from '../services.ts'

/**
 * The catalog of platform tools for an app of a user. `declared_in_manifest` says what the manifest
 * names; a `dev_safe` tool is eligible without it where the manifest names none.
 */
export function catalogOf(
  { platformTools }: Pick<WorkServices, 'platformTools'>,
  { manifest }: Pick<VersionRow, 'manifest'>,
  { grants }: Pick<InstallRow, 'grants'>,
): ResultOf<Methods['agent']['session.catalog']> {
  const named = namedTools(manifest)
  const granted = grantedTools(grants)
  return {
    platform_tools: [...platformTools.values()].map((tool) => {
      const { name, description, dev_safe } = tool
      const block = blockedBy(tool, manifest, grants)
      return {
        name,
        description,
        dev_safe,
        declared_in_manifest: named.includes(name),
        user_granted: granted.includes(name),
        eligible: block === null,
        ...(block && { blocked_by: block.by }),
      }
    }),
    inherit_host_tools_granted: grants.agent?.inherit_host_tools === true,
    manifest_declared: [...named],
    user_granted: [...granted],
  }
}
