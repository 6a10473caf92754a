import { job } from '@svc/contract/states'
import { memoryStore } from '../store/drivers/memory.ts'
import type { Store } from '../store/port.ts'
import { type JobRow, jobs } from './job-row.ts'

/** What happens to the next writes of jobs, so many of each. */
export interface NextWrites {
  /** Somebody else writes the row first. */
  lose: number
  /** They are not done. */
  fail: number
  /** They are done, and their answers are lost. */
  deafen: number
}

/** A store that loses or breaks writes of jobs when told to, and notes what the others may not know. */
export interface WatchedStore {
  readonly store: Store
  readonly next: NextWrites
  /** How each job was ended, each time that it was. */
  readonly ended: Map<string, JobRow['state'][]>
  /** The most active jobs that a user ever had. */
  mostActive(): number
}

/** Makes one over memory. */
export function openWatchedStore(): WatchedStore {
  const under = memoryStore()
  const next: NextWrites = { lose: 0, fail: 0, deafen: 0 }
  const ended = new Map<string, JobRow['state'][]>()
  let mostActive = 0

  const takes = (what: keyof NextWrites): boolean => {
    if (next[what] === 0) return false
    next[what] -= 1
    return true
  }
  async function note(id: string, row: JobRow): Promise<void> {
    if (job.terminal.has(row.state)) ended.set(id, [...(ended.get(id) ?? []), row.state])
    const { rows } = await under.scan(jobs, 'activeByUser', { eq: [row.user_id], limit: 1_000 })
    mostActive = Math.max(mostActive, rows.length)
  }
  async function write<T extends { ok: boolean }>(
    id: string,
    row: unknown,
    work: () => Promise<T>,
  ): Promise<T> {
    if (takes('fail')) throw new Error('the store is away')
    const written = await work()
    if (written.ok) await note(id, row as JobRow)
    if (takes('deafen')) throw new Error('the answer was lost')
    return written
  }

  const store: Store = {
    ...under,
    insert(collection, id, row, options) {
      const work = () => under.insert(collection, id, row, options)
      return (collection as unknown) === jobs ? write(id, row, work) : work()
    },
    swap(collection, id, revision, row, options) {
      const work = async () => {
        const now = takes('lose') ? await under.get(collection, id) : null
        if (now) await under.swap(collection, id, now.revision, now.row)
        return under.swap(collection, id, revision, row, options)
      }
      return (collection as unknown) === jobs
        ? write(id, row, work)
        : under.swap(collection, id, revision, row, options)
    },
  }
  return { store, next, ended, mostActive: () => mostActive }
}
