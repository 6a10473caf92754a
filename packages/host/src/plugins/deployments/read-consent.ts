import type { Copies } from '../../catalog/copies.ts'
import { installId } from '../../catalog/records.ts'
import type { UserConsent } from './agreement.ts'
import type { Seeker } from './plugins.ts'

/** Whose agreement counts: that of a user, in an app; for a window, or for a job, also what was agreed to there alone. */
export interface ConsentScope {
  readonly userId: string
  /** `null`: a page of the user's own, which reaches nothing of others. */
  readonly appId: string | null
  readonly window: Seeker['window']
  /** The digest of the terms that a job was accepted under. */
  readonly once?: string | null
}

/** Whose agreement counts for a seeker. */
export const consentScope = ({ userId, version, window }: Seeker): ConsentScope => ({
  userId,
  appId: version?.app_id ?? null,
  window,
})

/** Reads what a user has agreed to and refused, from copies; nothing without an install. */
export async function readConsent(
  { installs, windows }: Pick<Copies, 'installs' | 'windows'>,
  { userId, appId, window, once }: ConsentScope,
): Promise<UserConsent> {
  const install = appId === null ? null : await installs.get(installId(userId, appId))
  if (!install) return {}
  const { grants } = install.row
  if (!window) return { grants, once: once ? [once] : [] }
  const shown = await windows.get(window.id)
  const isTheirs = shown?.row.user_id === userId && shown.row.app_id === appId
  return { grants, once: isTheirs ? shown.row.agreed : [] }
}
