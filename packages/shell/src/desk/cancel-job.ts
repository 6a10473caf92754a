import { appOf, jobName, jobStates } from '../state/job.ts'
import type { DeskParts } from '../state/parts.ts'
import { newsOf } from '../state/tell.ts'

/** Cancels a job; an empty reason is none. Of one that has ended meanwhile it is told how. */
export async function cancelJob(parts: DeskParts, jobId: string, reason: string): Promise<void> {
  const { store, api, say, tell } = parts
  const { jobs, apps } = store.get()
  const job = jobs.list.find((one) => one.jobId === jobId)
  if (!job || jobs.cancelling.includes(jobId)) return
  const waits = (cancelling: readonly string[]) =>
    store.set((state) => ({ ...state, jobs: { ...state.jobs, cancelling } }))
  waits([...jobs.cancelling, jobId])
  try {
    const { state, cancelled } = await api.cancelJob(jobId, reason.trim())
    if (!cancelled) say(`${jobName(job, apps)} could not be cancelled: it ${jobStates[state].said}`)
  } catch (error) {
    tell(newsOf(error, `${appOf(job, apps).name} · ${job.method}`))
  }
  waits(store.get().jobs.cancelling.filter((one) => one !== jobId))
}
