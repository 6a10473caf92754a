import type { UserDataServices } from '../user-data/services.ts'

/** All that calls and routes use. */
export interface Services extends UserDataServices {
  /** The methods that nothing stands behind on this host: `not_implemented`, and left out of what `hello` tells. */
  readonly missing: ReadonlySet<string>
}
