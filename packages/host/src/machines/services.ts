import type { EventServices } from '../events/services.ts'
import type { Runners } from './runners.ts'
import type { ToolSessions } from './tool-sessions.ts'

/** What runners need of the services below them. */
export interface RunnerNeeds
  extends Pick<
    EventServices,
    'clock' | 'newId' | 'limits' | 'log' | 'store' | 'bus' | 'hosts' | 'runner' | 'settings' | 'users'
  > {
  /** For which sessions runners keep processes. */
  readonly toolSessions: ToolSessions
  /** Ends or adopts the jobs of a machine that is revoked. Jobs are a layer above machines. */
  reconcile(userId: string, runnerId: string): Promise<void>
}

/** With the machines that run tools. */
export interface MachineServices extends EventServices {
  readonly runners: Runners
  readonly toolSessions: ToolSessions
}
