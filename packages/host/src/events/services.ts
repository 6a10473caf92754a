import type { AccessServices } from '../access/services.ts'
import type { Events } from './events.ts'

/** With what tells pages of events. */
export interface EventServices extends AccessServices {
  readonly events: Events
}
