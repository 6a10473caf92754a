import type { LinkChange, RunnerLink } from './runners.ts'
import type { EnrolledRunner } from './show-runners.ts'

/** The machines of users: the routes of the page and their programmatic twins. */
export interface UserRunners {
  /** Enrols a machine; its token is shown this once. Errors: `quota_exceeded`. */
  enrol(userId: string, machine: { readonly name: string }): Promise<{ runner_id: string; token: string }>
  /** The user's machines, the oldest first. */
  list(userId: string): Promise<EnrolledRunner[]>
  /** Whether a machine is still one of the user's. */
  isEnrolled(userId: string, runnerId: string): Promise<boolean>
  /** Removes a machine: its link ends at once, and its token opens nothing any more. Errors: `not_found`. */
  revoke(userId: string, runnerId: string): Promise<void>
  /**
   * The runners that may run what this user may use, as far as this host knows: those of this host first, those that
   * came first first.
   */
  online(userId: string): readonly RunnerLink[]
  /** Learns which machines of a user other hosts have; what is known is `CACHE_STALE_MS` old at most. */
  refresh(userId: string): Promise<void>
  /** Calls a listener for each link that comes or goes. Returns how to unsubscribe. */
  onChange(listener: (change: LinkChange) => void): () => void
}
