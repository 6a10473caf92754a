import type { EventServices } from '../events/services.ts'
import type { Runners } from './runners.ts'

/** With the machines that run tools. */
export interface MachineServices extends EventServices {
  readonly runners: Runners
}
