import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import type { Wait } from '../install/installs.ts'
import type {
  CallInput,
  CallOutcome,
  CommandSpec,
  DescribeOutcome,
  JobInput,
  WithCommand,
} from '../port/runner.ts'
import { call } from './call.ts'
import { describe } from './describe.ts'
import { job } from './job.ts'
import { openJobProcesses } from './job-processes.ts'
import { openPool } from './pool.ts'
import type { Worker, WorkerOptions } from './worker.ts'

/** What calls, jobs and descriptions of plugins work with. */
export interface OpenCallsParts {
  readonly clock: Clock
  readonly limits: Limits
  /** Starts a plugin; never throws. */
  readonly open: (plugin: CommandSpec, options: WorkerOptions) => Worker
  /** Nothing is left of the plugin of a user that has this cache key. */
  readonly onForget: (cacheKey: string) => void
}

/** Opens them, for plugins that are there already: calls over a pool, jobs each with a plugin process of its own. */
export function openCalls({ clock, limits, open, onForget }: OpenCallsParts) {
  const pool = openPool({
    clock,
    limits,
    open: ({ plugin, userId, key }) => open(plugin, { userId, cacheKey: key }),
    onForget,
  })
  const jobProcesses = openJobProcesses(open)
  const desk = { clock, limits, pool }
  return {
    call: (input: WithCommand<CallInput>): Promise<CallOutcome> => call(input, desk),
    job: (input: WithCommand<JobInput>): Promise<CallOutcome> => job(input, { clock, limits, jobProcesses }),
    describe: (
      plugin: CommandSpec,
      wait: Wait & { readonly userId?: string | undefined },
    ): Promise<DescribeOutcome> => describe(plugin, wait, desk),
    stats() {
      const calls = pool.stats()
      const jobs = jobProcesses.stats()
      return {
        processes: calls.processes + jobs.processes,
        busy: calls.busy + jobs.busy,
        waiting: calls.waiting,
      }
    },
    async departed(): Promise<void> {
      await Promise.all([pool.departed(), jobProcesses.departed()])
    },
    async close(): Promise<void> {
      await Promise.all([pool.close(), jobProcesses.close()])
    },
  }
}
