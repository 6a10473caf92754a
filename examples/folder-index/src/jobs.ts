import { type JobSnapshot, svc, type ToolPayload } from '@svc/sdk'
import type { Progress } from '../plugin/report.ts'
import { byId } from './by-id.ts'
import { type Card, createCard } from './card.ts'
import { startIndex } from './plugin.ts'
import { showReport } from './show-report.ts'
import { showTrouble } from './trouble.ts'

/** What the tool of these jobs returns. */
type Report = ToolPayload<'folder-index', 'index_folder'>

/** Jobs that are listed. */
const LISTED = 12

/** The jobs of this app and user, whichever document started them. */
export interface Jobs {
  /** Lists them, and follows those that have not ended. @throws HostRpcError */
  list(): Promise<void>
  /** Starts one. @throws HostRpcError */
  start(folder: string, seconds: number): Promise<void>
}

/** Opens the list of jobs. It keeps no state of its own: the host has the jobs, and is asked. */
export function openJobs(): Jobs {
  const cards = new Map<string, Card>()
  const followed = new Set<string>()
  const tell = (error: unknown) => showTrouble(byId('trouble'), error)

  /** The card of a job, made where there is none yet; the newest stands first. */
  function cardOf({ jobId, clientTag, createdAt }: JobSnapshot): Card {
    const known = cards.get(jobId)
    if (known) return known
    const card = createCard(clientTag ?? jobId, {
      cancel: (reason) => svc.tools.job(jobId).cancel(reason).catch(tell),
      show: () => showResult(jobId).catch(tell),
    })
    const { element } = card
    element.dataset.createdAt = createdAt
    const others = [...byId('cards').querySelectorAll<HTMLElement>(':scope > li')]
    const older = others.find(({ dataset }) => (dataset.createdAt ?? '') < createdAt)
    byId('cards').insertBefore(element, older ?? null)
    byId('none').hidden = true
    cards.set(jobId, card)
    return card
  }

  /** Shows a job until it has ended, once however often it is asked. */
  async function follow(jobId: string): Promise<void> {
    if (followed.has(jobId)) return
    followed.add(jobId)
    await showUntilEnd(jobId).finally(() => followed.delete(jobId))
  }

  async function showUntilEnd(jobId: string): Promise<void> {
    const job = svc.tools.job<Report, Progress>(jobId)
    const found = await job.snapshot()
    const card = cardOf(found)
    showFound(card, found)
    for await (const { data } of job.progress({ sinceSeq: found.lastSeq })) card.tell(data)
    const ended = await job.snapshot()
    card.show(ended)
    byId('news').textContent = card.sentence()
    if (ended.result && byId('report').hidden) showReport(ended.result)
  }

  function showFound(card: Card, job: JobSnapshot): void {
    card.show(job)
    const latest = job.progress.at(-1)
    if (latest && job.endedAt === null) card.tell(latest.data as Progress)
  }

  async function showResult(jobId: string): Promise<void> {
    const { result } = await svc.tools.job<Report>(jobId).snapshot()
    if (result) showReport(result, { focus: true })
  }

  async function list(): Promise<void> {
    const { jobs } = await svc.tools.listJobs({ limit: LISTED })
    for (const job of jobs) {
      showFound(cardOf(job), job)
      if (job.endedAt === null) follow(job.jobId).catch(tell)
    }
    byId('jobs').hidden = false
  }

  // Another window of this app may start jobs as well, and events may have been lost.
  svc.on('tool_job', ({ job_id }) => {
    if (!cards.has(job_id)) follow(job_id).catch(tell)
  })
  svc.on('reset', () => list().catch(tell))

  return {
    list,
    async start(folder, seconds) {
      follow(await startIndex(folder, seconds)).catch(tell)
    },
  }
}
