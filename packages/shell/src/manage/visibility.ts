import type { Visibility } from '@svc/contract'

/** A choice of who sees a plugin. */
export interface VisibilityRow {
  readonly label: string
  /** Who will see it. */
  readonly sentence: string
}

/** The choices, from the fewest who see it to the most. */
export const visibilityRows: Readonly<Record<Visibility, VisibilityRow>> = {
  private: { label: 'Private', sentence: 'Only you see and call it, and your apps on your own machines.' },
  app_bundled: {
    label: 'With your apps',
    sentence: 'Who uses one of your apps that declares it can call it there; it stands in nobody’s list.',
  },
  public: {
    label: 'Public',
    sentence: 'Everybody on this host finds it in their list and may call it from their apps.',
  },
}

/** What a change of visibility means for versions; `null`: nothing. */
export function freezeNote(
  from: Visibility,
  to: Visibility,
  versions: number,
  version: string,
): string | null {
  if (versions === 0 && to !== 'private')
    return `This freezes version ${version}: its manifest and distribution never change after that. What you edit later comes to others as another version.`
  if (from !== 'private' && to === 'private')
    return 'Who calls it today finds it gone. Its frozen versions stay, for when you show it again.'
  return null
}
