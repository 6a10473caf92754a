import type { Visibility } from '@svc/contract'

/** The choices of who sees a plugin, from the fewest to the most; `sentence` says who will. */
export const visibilityRows = {
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
} as const satisfies Readonly<Record<Visibility, { label: string; sentence: string }>>

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
