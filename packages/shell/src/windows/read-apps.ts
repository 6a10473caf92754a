import type { DeskParts } from '../state/parts.ts'

/** Reads the user's apps again: what no event tells of them may have changed, such as a build without a window. */
export async function readApps({ api, store }: Pick<DeskParts, 'api' | 'store'>): Promise<void> {
  const apps = await api.apps().catch(() => null)
  if (apps) store.set((state) => ({ ...state, apps }))
}
