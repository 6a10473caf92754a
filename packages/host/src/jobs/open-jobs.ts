import { refuse } from '@svc/contract'
import { acceptJob } from './accept.ts'
import { current } from './current.ts'
import { cancelled, failed } from './ending.ts'
import { finish, type Stop, stopTopic } from './finish.ts'
import type { JobRecord } from './job-row.ts'
import type { Cancelled, Jobs } from './jobs.ts'
import { listJobs } from './list.ts'
import { type JobHouse, type JobParts, noSuchJob, ownJob, type Whose } from './parts.ts'
import { openRoster } from './roster.ts'
import { runJob } from './run.ts'
import { snapshotOf } from './snapshot.ts'
import { forgetJobs, sweepJobs } from './sweep.ts'

/** Opens the jobs of a house. */
export function openJobs(house: JobHouse): Jobs {
  const { bus, limits, log, runner } = house
  const roster = openRoster(house, async (held) => !closed && runner !== null && runJob(parts, runner, held))
  const parts: JobParts = { ...house, roster, unwritten: new Map() }
  let listening: Promise<() => void> | null = null
  let closed = false

  /** Hears of jobs held here that another host ended; a word that is lost is made up for at the next heartbeat. */
  async function listen(): Promise<void> {
    listening ??= house.hosts
      .me()
      .then(({ host_id }) =>
        bus.subscribe(stopTopic(host_id), (message) => {
          const [jobId, reason]: Stop = JSON.parse(message)
          roster.letGo(jobId, reason)
        }),
      )
      .catch((error: unknown) => {
        listening = null
        throw error
      })
    await listening
  }

  const show = (record: JobRecord) => snapshotOf(house, record, { last: limits.JOB_LISTED_PROGRESS })

  async function cancel(whose: Whose, jobId: string, reason?: string): Promise<Cancelled> {
    await ownJob(house, whose, jobId)
    const { won, record } = await finish(parts, jobId, cancelled(reason))
    if (!record) throw noSuchJob()
    const { state } = record.row
    return { jobId, state, cancelled: won && state === 'cancelled' }
  }

  return {
    async start(order) {
      if (closed) throw refuse('agent_unavailable', 'this host is closing')
      await listen()
      return acceptJob(parts, order)
    },
    async get(whose, jobId, shown) {
      const record = await current(parts, await ownJob(house, whose, jobId))
      if (!record) throw noSuchJob()
      return snapshotOf(house, record, shown)
    },
    async list(whose, query) {
      const { records, truncated } = await listJobs(parts, whose, query)
      return { jobs: await Promise.all(records.map(show)), truncated }
    },
    cancel,
    ofUser: {
      async list(userId, query = {}) {
        const wanted = { limit: limits.JOB_LIST_LIMIT_DEFAULT, ...query }
        const { records, truncated } = await listJobs(parts, { userId }, wanted)
        const jobs = await Promise.all(
          records.map(async (record) => ({ ...(await show(record)), app_id: record.row.app_id })),
        )
        return { jobs, truncated }
      },
      cancel: (userId, jobId, reason) => cancel({ userId }, jobId, reason),
    },
    async sweep() {
      if (!closed) await sweepJobs(parts)
    },
    forget: () => forgetJobs(parts),
    async close() {
      if (closed) return
      closed = true
      const ending = failed('agent_unavailable', 'the host that ran this job was closed')
      for (const { jobId } of roster.all()) {
        // A job that waits is left to the other hosts of the store.
        await finish(parts, jobId, ending, ({ started_at }) => started_at !== null).catch((err: unknown) => {
          log.error({ err, job: jobId }, 'the end of a job could not be written')
        })
        roster.letGo(jobId, 'the host is closing')
      }
      const stop = await listening?.catch(() => null)
      stop?.()
    },
  }
}
