import { machine } from './machine.ts'

/** A minted plugin id: committed once or expired. */
export const reservation = machine({
  reserved: { commit: 'committed', expire: 'expired' },
  committed: {},
  expired: {},
})

/** A plugin's visibility: any of the three leads to any of the three. */
export const visibility = machine({
  private: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
  app_bundled: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
  public: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
})

/** A version of a plugin: its owner deprecates it, yanks it, and may take both back. */
export const snapshot = machine({
  active: { restore: 'active', deprecate: 'deprecated', yank: 'yanked' },
  deprecated: { restore: 'active', deprecate: 'deprecated', yank: 'yanked' },
  yanked: { restore: 'active', deprecate: 'deprecated', yank: 'yanked' },
})

/** A state of a minted plugin id. */
export type ReservationState = (typeof reservation.states)[number]

/** Who sees a plugin. */
export type Visibility = (typeof visibility.states)[number]

/** Whether a version is offered. */
export type SnapshotStatus = (typeof snapshot.states)[number]
