import { machine } from '../machine.ts'

/** A minted plugin id (spec §3.4): committed once or expired. */
export const reservation = machine({
  reserved: { commit: 'committed', expire: 'expired' },
  committed: {},
  expired: {},
})

/** A plugin's visibility (spec §3.4): any of the three leads to any of the three. */
export const visibility = machine({
  private: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
  app_bundled: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
  public: { bundle: 'app_bundled', publish: 'public', hide: 'private' },
})
