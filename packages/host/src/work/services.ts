import type { AppServices } from '../apps/services.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Runs } from './runs/runs.ts'
import type { Samplings } from './sampling/samplings.ts'
import type { PlatformTools } from './sessions/platform-tools.ts'
import type { Sessions } from './sessions/sessions.ts'

/** With jobs and sessions, which is what tools are called with. */
export interface ToolServices extends AppServices {
  readonly platformTools: PlatformTools
  /** What plugins may ask of this host within their calls. */
  readonly samplings: Samplings
  readonly jobs: Jobs
  readonly sessions: Sessions
}

/** With the services of long work: sessions, runs, jobs. */
export interface WorkServices extends ToolServices {
  readonly runs: Runs
}
