import type { Journals } from '@svc/state'
import type { JobRow } from './job-row.ts'

/** The journal of a job's progress: the seq of an item is the seq of the progress. */
export const progressJournal = (jobId: string): string => `job:${jobId}`
/** The journal of a job's signs of life: only the last item counts. */
export const lifeJournal = (jobId: string): string => `job:${jobId}:life`

/** Comes after the last progress of a job that another host than its owner ended: what comes later is refused. */
export const END = '{"type":"end"}'

/** What is known of a running job beside its row. */
export type Life = Pick<JobRow, 'last_seq' | 'dropped' | 'heartbeat_at'>

/** A sign of life as it is in the journal; JSON writes numbers and `null` as JavaScript does. */
export const lifeText = ({ dropped, heartbeat_at }: Omit<Life, 'last_seq'>): string =>
  `{"dropped":${dropped},"heartbeat_at":${heartbeat_at}}`

/** Reads what is known of a running job. */
export async function readLife(journal: Journals, jobId: string): Promise<Life> {
  const [progress, life] = await Promise.all([
    journal.read(progressJournal(jobId), 0, { limit: 0 }),
    journal.read(lifeJournal(jobId), 0),
  ])
  const last = life.items.at(-1)
  const known: Omit<Life, 'last_seq'> = last ? JSON.parse(last.item) : { dropped: 0, heartbeat_at: null }
  return { ...known, last_seq: progress.tail }
}

/** Reads progress with `after < seq ≤ upTo`, oldest first, at most `limit`: each is the JSON text of a `JobProgress`. */
export async function readProgress(
  journal: Journals,
  jobId: string,
  range: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<string[]> {
  const { after, upTo, limit } = range
  if (after >= upTo) return []
  const { items } = await journal.read(progressJournal(jobId), after, { limit })
  return items
    .filter(({ seq, item }) => seq > after && seq <= upTo && item !== END)
    .map(({ seq, item }) => `{"seq":${seq},${item.slice(1)}`)
}

/** Forgets the journals of a job. */
export async function dropJournals(journal: Journals, jobId: string): Promise<void> {
  await journal.drop(progressJournal(jobId))
  await journal.drop(lifeJournal(jobId))
}
