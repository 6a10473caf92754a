import type { UserDataServices } from '../user-data/services.ts'

/** All that calls and routes use. */
export interface Services extends UserDataServices {
  /** The methods that this host does not implement: `not_implemented`, and left out of what `hello` tells. */
  readonly missing: ReadonlySet<string>
}
