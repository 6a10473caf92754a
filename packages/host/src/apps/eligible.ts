import type { Grants, Manifest } from '@svc/contract'

/** What decides for which apps a platform tool is. */
export interface NamedTool {
  readonly name: string
  readonly dev_safe: boolean
}

/** Which of the two checks keeps a platform tool from the sessions of an app, and what would let it through. */
export interface Block {
  readonly by: 'manifest' | 'user_grant'
  readonly hint: string
}

/** The platform tools that a manifest names. */
export const namedTools = (manifest: Manifest): readonly string[] => manifest.ui.host_api.agent?.tools ?? []

/** The platform tools that the user granted. */
export const grantedTools = (grants: Grants): readonly string[] => grants.agent?.platform_tools ?? []

/**
 * What keeps a platform tool from an app; `null`: nothing. A manifest that names none is
 * taken to name those that are `dev_safe`.
 */
export function blockedBy({ name, dev_safe }: NamedTool, manifest: Manifest, grants: Grants): Block | null {
  const named = namedTools(manifest)
  const quoted = JSON.stringify(name)
  if (named.length === 0 ? !dev_safe : !named.includes(name))
    return { by: 'manifest', hint: `Add ${quoted} to ui.host_api.agent.tools in the manifest.` }
  if (!grantedTools(grants).includes(name))
    return { by: 'user_grant', hint: `Install the app with agent: {"platform_tools": [${quoted}]}.` }
  return null
}
