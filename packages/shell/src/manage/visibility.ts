import type { Visibility } from '@svc/contract'

/** A choice of who sees a plugin. */
export interface VisibilityRow {
  readonly label: string
  /** Who will see it. */
  readonly sentence: string
}

/** The choices, from the fewest who see it to the most. */
export const visibilityRows: Readonly<Record<Visibility, VisibilityRow>> = {
  private: {
    label: 'Private',
    sentence: 'Only you can see it and call it, from your apps on your own machines.',
  },
  app_bundled: {
    label: 'With your apps',
    sentence: 'Users of your apps that declare it can call it there. It is in nobody’s list.',
  },
  public: {
    label: 'Public',
    sentence: 'Everybody on this host can find it and call it from their apps.',
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
    return `This freezes version ${version}: its manifest and distribution will never change. Later edits reach others as a new version.`
  if (from !== 'private' && to === 'private')
    return 'Others can no longer call it. Its versions are kept in case you show it again.'
  return null
}
