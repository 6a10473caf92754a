import type { House } from '../house.ts'
import type { KnownPlugin, Plugins } from './plugins.ts'

/** What published plugins need of the house. */
export type PublishedParts = Pick<
  House,
  'clock' | 'limits' | 'log' | 'store' | 'copies' | 'events' | 'runners'
>

/** Opens the plugins that users published, as those who may use them reach them. */
export function openPublished(_parts: PublishedParts): Omit<Plugins, 'ready'> {
  const none: readonly KnownPlugin[] = []
  return {
    of: () => none,
    find: () => undefined,
    bound: () => undefined,
    forCall: (plugin) => plugin,
    sweep() {},
  }
}
