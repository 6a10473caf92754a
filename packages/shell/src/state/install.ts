import type { Grants, PlugConsent, PlugTerms } from '@svc/contract'
import { publisherText } from '@svc/contract/publisher'

/** A plugin that a version of an app declares. */
export interface AppPlug {
  readonly tool_id: string
  readonly kind: 'required' | 'optional'
  /** `null`: it is not there for this user. */
  readonly name: string | null
  /** Whether it may run; absent: the host does not tell. */
  readonly consent?: PlugConsent
  /** What the user agrees to; `null` or absent: it needs no agreement. */
  readonly terms?: PlugTerms | null
}

/** An installed app with what its user allowed it. Times are ISO 8601. */
export interface Install {
  readonly install_id: string
  readonly app_id: string
  readonly slug: string
  readonly name: string
  readonly version: string
  readonly grants: Grants
  /** What the installed version asks for; absent: the host does not tell. */
  readonly asks?: Grants | null
  /** The plugins that the installed version declares; absent: the host does not tell. */
  readonly plugs?: readonly AppPlug[]
  /** The destructive tools that may be used without a question; absent: the host does not tell. */
  readonly approved?: readonly { readonly tool_id: string; readonly tool: string }[]
  /** The newest release, and what it asks for; `null` or absent: there is none to update to. */
  readonly newer?: {
    readonly version: string
    readonly asks: Grants
    readonly plugs?: readonly AppPlug[]
  } | null
}

/** A version as it is called: the working draft has no number of its own. */
export const versionText = (version: string): string =>
  version.endsWith('-draft') ? 'working draft' : version

/**
 * The plugins of a version in words: `Weather by eve (not verified), Maps (if it is there)`. One that is not there is told
 * by its id.
 */
export const plugsText = (plugs: readonly AppPlug[]): string =>
  plugs
    .map(({ tool_id, kind, name, terms }) => {
      const by = terms ? ` by ${publisherText(terms.publisher)}` : ''
      return `${name ?? tool_id}${by}${kind === 'optional' ? ' (if it is there)' : ''}`
    })
    .join(', ')

/** The tools that may be used without a question, in words: `send of Mail, wipe of Disk`. */
export const approvedText = ({ approved = [], plugs = [] }: Pick<Install, 'approved' | 'plugs'>): string =>
  approved
    .map(({ tool_id, tool }) => `${tool} of ${plugs.find((one) => one.tool_id === tool_id)?.name ?? tool_id}`)
    .join(', ')

/** The plugins that a version would use besides. */
export const extraPlugs = (has: readonly AppPlug[], wants: readonly AppPlug[]): readonly AppPlug[] =>
  wants.filter(({ tool_id }) => !has.some((one) => one.tool_id === tool_id))
