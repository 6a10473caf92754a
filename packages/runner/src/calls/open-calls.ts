import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import type { Log } from '../port/log.ts'
import type {
  CallInput,
  CallOutcome,
  CommandSpec,
  DescribeOutcome,
  JobInput,
  ToolsChange,
  WithCommand,
} from '../port/runner.ts'
import { call } from './call.ts'
import { type DescribeWish, describe } from './describe.ts'
import { NOBODY } from './groups.ts'
import { job } from './job.ts'
import { openJobProcesses } from './job-processes.ts'
import { openPool } from './pool.ts'
import { openToolNews } from './tool-news.ts'
import type { Worker, WorkerOptions } from './worker.ts'

/** What calls, jobs and descriptions of plugins work with. */
export interface OpenCallsParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Log
  /** Starts a plugin; never throws. */
  readonly open: (plugin: CommandSpec, options: WorkerOptions) => Worker
  /** Nothing is left of the plugin of a user that has this cache key. */
  readonly onForget: (cacheKey: string) => void
}

/** Opens them, for plugins that are there already: calls over a pool, jobs each with a plugin process of its own. */
export function openCalls({ clock, limits, log, open, onForget }: OpenCallsParts) {
  const pool = openPool({
    clock,
    limits,
    open({ plugin, userId, cacheKey }) {
      const onToolsChanged = () => news.changed(worker)
      const worker = open(plugin, { userId, onToolsChanged, ...(userId !== NOBODY && { cacheKey }) })
      return worker
    },
    onForget,
    onGiveWay({ plugin: { id, version } }) {
      const about = { plugin: id, version, event: 'session_gave_way' }
      log.info(about, 'the process that a session kept was ended, because its place was needed')
    },
  })
  const jobProcesses = openJobProcesses(open)
  const desk = { clock, limits, log, pool }
  const listeners: ((change: ToolsChange) => void)[] = []
  const news = openToolNews(desk, (change) => {
    for (const listener of listeners) listener(change)
  })
  return {
    call: (input: WithCommand<CallInput>): Promise<CallOutcome> => call(input, desk),
    job: (input: WithCommand<JobInput>): Promise<CallOutcome> => job(input, { clock, limits, jobProcesses }),
    describe: (plugin: CommandSpec, wait: DescribeWish): Promise<DescribeOutcome> =>
      describe(plugin, wait, desk),
    endSessions: pool.endSessions,
    onToolsChanged: (listener: (change: ToolsChange) => void) => void listeners.push(listener),
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
      news.close()
      await Promise.all([pool.close(), jobProcesses.close()])
    },
  }
}
