import { publisherText } from '@svc/contract/publisher'
import type { RouteAnswer } from '@svc/contract/route-client'
import { visibleLine } from '@svc/contract/visible-text'

/** An installed app with what its user allowed it. */
export type Install = RouteAnswer<'GET /api/v1/svc-apps/installs'>['installs'][number]

/** A plugin that a version of an app declares. */
export type AppPlug = Install['plugs'][number]

/** A version as it is called: the working draft has no number of its own. */
export const versionText = (version: string): string =>
  version.endsWith('-draft') ? 'working draft' : version

/**
 * The plugins of a version in words: `Weather by eve (not verified), Maps (if it is there)`. One that is not there is
 * named by its id.
 */
export const plugsText = (plugs: readonly AppPlug[]): string =>
  visibleLine(
    plugs
      .map(({ tool_id, kind, name, terms }) => {
        const by = terms ? ` by ${publisherText(terms.publisher)}` : ''
        return `${name ?? tool_id}${by}${kind === 'optional' ? ' (if it is there)' : ''}`
      })
      .join(', '),
  )

/** What the host lists in place of a tool where the whole plugin is allowed. */
const EVERY_TOOL = '*'

/** The tools that may be used without a question, in words: `send of Mail, all tools of Disk`. */
export const approvedText = ({ approved, plugs }: Pick<Install, 'approved' | 'plugs'>): string =>
  visibleLine(
    approved
      .map(({ tool_id, tool }) => {
        const plug = plugs.find((one) => one.tool_id === tool_id)
        return `${tool === EVERY_TOOL ? 'all tools' : tool} of ${tool_id === 'host' ? 'this host' : (plug?.name ?? tool_id)}`
      })
      .join(', '),
  )

/** The plugins that a version would use besides. */
export const extraPlugs = (has: readonly AppPlug[], wants: readonly AppPlug[]): readonly AppPlug[] =>
  wants.filter(({ tool_id }) => !has.some((one) => one.tool_id === tool_id))

/** The version of an app; a draft is called so only beside a release, and is nothing special without one. */
export function launcherVersion({
  version,
  latest_release,
}: Pick<Install, 'version' | 'latest_release'>): string | null {
  if (!version.endsWith('-draft')) return version
  return latest_release === null ? null : 'draft'
}
