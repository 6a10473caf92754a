import type { Owner } from '../hosts/host-row.ts'
import { acceptJob } from './accept.ts'
import { cancelAll, cancelJob } from './cancel.ts'
import { current } from './current.ts'
import { failed } from './ending.ts'
import { finish, type Stop, stopTopic } from './finish.ts'
import { forgetJobs } from './forget.ts'
import type { Jobs } from './jobs.ts'
import { type JobQuery, listJobs } from './list.ts'
import { hostCloses, type JobHouse, type JobParts, noSuchJob, ownJob, type Whose } from './parts.ts'
import { openRoster } from './roster.ts'
import { runJob } from './run.ts'
import { snapshotText } from './snapshot.ts'
import { sweepJobs } from './sweep.ts'

/** Opens the jobs of a house. */
export function openJobs(house: JobHouse): Jobs {
  const { bus, limits, log } = house
  const roster = openRoster(house, (held) => runJob(parts, held))
  const parts: JobParts = { ...house, roster, me, unwritten: new Map() }
  let listening: Promise<() => void> | null = null

  const mustBeOpen = () => {
    if (roster.isClosed) throw hostCloses()
  }

  /** A word of another host that is lost is made up for at the next heartbeat. */
  async function me(): Promise<Owner> {
    mustBeOpen()
    const owner = await house.hosts.me()
    mustBeOpen()
    listening ??= bus
      .subscribe(stopTopic(owner.host_id), (message) => {
        const [jobId, reason]: Stop = JSON.parse(message)
        roster.letGo(jobId, reason)
      })
      .catch((error: unknown) => {
        listening = null
        throw error
      })
    await listening
    return owner
  }

  async function list(whose: Whose, query: JobQuery): Promise<string> {
    const { records, truncated } = await listJobs(parts, whose, query)
    const shown = { last: limits.JOB_LISTED_PROGRESS }
    const texts = await Promise.all(records.map((record) => snapshotText(house, whose, record, shown)))
    return `{"jobs":[${texts.join(',')}],"truncated":${truncated}}`
  }

  return {
    start: (order) => acceptJob(parts, order),
    async get(whose, jobId, shown) {
      const record = await current(parts, await ownJob(house, whose, jobId))
      if (!record) throw noSuchJob()
      return snapshotText(house, whose, record, shown)
    },
    list,
    cancel: (whose, jobId, reason) => cancelJob(parts, whose, jobId, reason),
    cancelAll: (userId, appId, reason) => cancelAll(parts, userId, appId, reason),
    ofUser: {
      async list(userId, query = {}) {
        return JSON.parse(await list({ userId }, { limit: limits.JOB_LIST_LIMIT_DEFAULT, ...query }))
      },
      cancel: (userId, jobId, reason) => cancelJob(parts, { userId }, jobId, reason),
    },
    async sweep() {
      if (!roster.isClosed) await sweepJobs(parts)
    },
    forget: () => forgetJobs(parts),
    async close() {
      if (roster.isClosed) return
      const ending = failed('agent_unavailable', 'the host that ran this job was closed')
      for (const { jobId } of roster.close()) {
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
