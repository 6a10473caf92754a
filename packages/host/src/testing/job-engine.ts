import { idMaker, limits } from '@svc/contract'
import { systemClock } from '@svc/node'
import type { Runner } from '@svc/runner'
import { type Bus, memoryStore } from '@svc/state'
import { random } from 'nanoid'
import { pino } from 'pino'
import { openAudit } from '../access/audit/audit.ts'
import { users } from '../catalog/records.ts'
import type { Services } from '../edge/services.ts'
import { openEvents } from '../events/events.ts'
import { openHosts } from '../kernel/hosts.ts'
import { openMetrics } from '../kernel/metrics.ts'
import { openJobs } from '../work/jobs/jobs.ts'
import type { ReachedPlugin } from '../work/tools/reach.ts'
import { asyncTimeout } from '../work/tools/timeout.ts'

/** The jobs of a host without what is before them: no requests, dispatch or windows. */
export interface JobEngine {
  /** Makes a user, before his first job. */
  addUser(userId: string): Promise<void>
  /** Starts a job of a user that calls this tool without arguments; returns its id. Errors: those of `tools.invokeAsync`. */
  start(userId: string, tool: string): Promise<string>
  /** Ends what runs. */
  close(): Promise<void>
}

/**
 * Opens the jobs of a host whose records are in memory: rows, caps, deadlines, journals, audit log and the events for
 * the pages of their users, on the clock of the machine. `runner` runs them. Close it.
 */
export function openJobEngine({ bus, runner }: { readonly bus: Bus; readonly runner: Runner }): JobEngine {
  const log = pino({ level: 'silent' })
  const store = memoryStore()
  const link = { id: 'builtin', epoch: 1, runner, since: 0, owner: null }
  const plugin: ReachedPlugin = {
    tool_id: 'tool-local-noop-1',
    handle: 'noop',
    spec: { id: 'tool-local-noop-1', version: '1', command: ['noop'] },
    status: 'available',
    description: { name: 'noop', tools: [] },
    problem: null,
    link,
  }
  const base = {
    clock: systemClock,
    store,
    bus,
    limits,
    log,
    metrics: openMetrics({ processMetrics: false }),
    newId: idMaker(random),
  }
  const hosts = openHosts(base)
  const audit = openAudit(base)
  const events = openEvents({ ...base, hosts })
  const jobs = openJobs({
    ...base,
    hosts,
    audit,
    events,
    samplings: { open: () => null } as unknown as Services['samplings'], // this plugin wants nothing of the host
    plugins: { bound: async () => plugin } as unknown as Services['plugins'], // jobs look plugins up and nothing else
    runners: { builtin: link, onChange: () => () => {} } as unknown as Services['runners'], // no machine comes or goes
  })
  const timeout = asyncTimeout(undefined, limits)
  return {
    async addUser(userId) {
      await store.insert(users, userId, { created_at: systemClock.now() })
    },
    async start(userId, tool) {
      const order = { userId, appId: 'app_1', plugin, tool, args: {}, timeout, clientTag: null, origin: '' }
      return (await jobs.start(order)).id
    },
    async close() {
      await jobs.close()
      await events.close()
      await audit.close()
      await hosts.close()
    },
  }
}
