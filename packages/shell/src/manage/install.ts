import type { Grants } from '@svc/contract'

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
  /** The newest release, and what it asks for; `null` or absent: there is none to update to. */
  readonly newer?: { readonly version: string; readonly asks: Grants } | null
}

/** A version as it is called: the working draft has no number of its own. */
export const versionText = (version: string): string =>
  version.endsWith('-draft') ? 'working draft' : version
