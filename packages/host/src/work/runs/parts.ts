import type { Ownership } from '../engine/ownership.ts'
import type { WorkServices } from '../services.ts'
import type { SessionRights, SessionTool } from '../sessions/session-tools.ts'
import type { ActiveRuns } from './active-runs.ts'
import type { Flights } from './flights.ts'
import type { HeldRun } from './held-run.ts'
import type { RunCaller, StreamIds } from './runs.ts'

/** What runs need of the host's services. */
export type RunServices = Pick<
  WorkServices,
  | 'bus'
  | 'clock'
  | 'events'
  | 'hosts'
  | 'limits'
  | 'log'
  | 'models'
  | 'newId'
  | 'publicFetch'
  | 'quotas'
  | 'sessions'
  | 'store'
  | 'threads'
>

/** The services of runs, with those that this host does. */
export interface RunParts extends RunServices {
  readonly activeRuns: ActiveRuns
  /** Counts the runs that this host accepts. */
  readonly nextTurn: () => number
  /** The tools of a session, as they are now. */
  readonly toolsOf: (rights: SessionRights) => Promise<readonly SessionTool[]>
  readonly ownership: Ownership
  /** Acceptances, each with the window that hears of it. */
  readonly flights: Flights<StreamIds & Pick<RunCaller, 'windowUuid'>>
}

/** Does what a run cannot end without until it is done, for as long as this host is open. */
export async function insist<T>(
  { limits, log, activeRuns }: RunParts,
  held: HeldRun,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (err) {
      if (activeRuns.isClosed) throw err
      log.warn({ err, run: held.row.run_id }, 'a run could not be written and is tried again')
      await held.wait(limits.RUN_CHECK_MS)
    }
  }
}
