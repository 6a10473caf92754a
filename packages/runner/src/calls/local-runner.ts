import type { Isolation } from '../isolation/isolate.ts'
import type { Runner } from '../port/runner.ts'

/** The runner of this process. */
export interface LocalRunner extends Runner {
  /** What walls its plugins have; one that starts no processes has none to speak of. */
  readonly isolation?: Isolation
  /** Resolves when the processes whose calls and jobs were cancelled are gone. */
  departed(): Promise<void>
}
