import type { JobSnapshot, WindowEvent } from '@svc/contract'
import { type Bus, memoryBus, systemClock } from '@svc/host'
import type { TestHostOptions, TestWindow } from './host.ts'
import { openToolHost, type ToolHost } from './tool-host.ts'

/** An event of a job, as it stands in a journal and travels. */
export type ToolJob = WindowEvent<'tool_job'>

/** Jobs of the odd plugin that start, tell, and end in every way, five at a time. */
export interface JobTraffic {
  /** The jobs that were started, in order. */
  readonly jobIds: readonly string[]
  /** Every event of a job in the user's journal, as its text, in its order. */
  readonly written: readonly string[]
  /** Reads a job with the progress after a seq. */
  read(jobId: string, sinceSeq?: number): Promise<JobSnapshot>
  /** Starts no more; resolves when the last one has ended. */
  end(): Promise<void>
}

interface Kind {
  readonly method: string
  readonly args: object
  readonly timeoutMs?: number
  /** It is cancelled when its progress has come so far. */
  readonly cancelAt?: number
}

const paced = { everyMs: 10 }
const no = { result: { success: false, error: 'no' } }
/** One ending each: succeeded (once with progress that is dropped), failed, cancelled, expired, failed with its process. */
const kinds: readonly Kind[] = [
  { method: 'tell', args: { steps: 40, ...paced } },
  { method: 'tell', args: { steps: 120 } },
  { method: 'tell', args: { steps: 20, reply: no, ...paced } },
  { method: 'tell', args: { steps: 1_000, ...paced }, cancelAt: 15 },
  { method: 'hang', args: {}, timeoutMs: 800 },
  { method: 'exit', args: { code: 9 } },
]

const LANES = 5
const MANY = 1_000_000

/** A tool host whose jobs may expire soon, and how to start the traffic in its window. Close it. */
export async function openTrafficHost(
  limits: TestHostOptions['limits'] = {},
): Promise<ToolHost & { startTraffic(): JobTraffic }> {
  const bus = memoryBus({ clock: systemClock })
  const secret = 's'.repeat(32)
  // None is forgotten before it was read, however long the traffic takes.
  const kept = { JOBS_KEPT_PER_APP: MANY, JOBS_KEPT_PER_USER: MANY }
  const testHost = await openToolHost({ bus, secret, limits: { JOB_DEADLINE_MIN_MS: 1, ...kept, ...limits } })
  return { ...testHost, startTraffic: () => startTraffic(bus, testHost.window) }
}

function startTraffic(bus: Bus, window: TestWindow): JobTraffic {
  const jobIds: string[] = []
  const written: string[] = []
  const last = new Map<string, ToolJob>()
  const looks = new Set<() => void>()
  const following = new AbortController()
  let started = 0
  let over = false

  async function follow(): Promise<void> {
    for await (const { items } of bus.journal.follow('user:ada', 0, { signal: following.signal })) {
      for (const { item } of items) {
        const event = JSON.parse(item) as WindowEvent
        // The plugin's own news, that it has tools now, may come before anybody listens.
        if (event.type !== 'tool_job') continue
        written.push(item)
        last.set(event.job_id, event)
      }
      for (const look of looks) look()
    }
  }
  const until = (jobId: string, match: (event: ToolJob) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        const event = last.get(jobId)
        if (!event || !(event.terminal || match(event))) return
        looks.delete(look)
        resolve()
      }
      looks.add(look)
      look()
    })

  async function call<T>(method: string, args: object): Promise<T> {
    const answer = await window.call('tools', method, args)
    if (!answer.ok) throw new Error(`${method}: ${answer.error.code}: ${answer.error.message}`)
    return answer.result as T
  }
  async function lane(): Promise<void> {
    while (!over) {
      const { cancelAt, ...order } = kinds[started++ % kinds.length] as Kind
      const { jobId } = await call<{ jobId: string }>('invokeAsync', { tool_id: 'odd', ...order })
      jobIds.push(jobId)
      if (cancelAt !== undefined) {
        await until(jobId, ({ seq }) => seq >= cancelAt)
        await call('cancelJob', { jobId, reason: 'enough' })
      }
      await until(jobId, ({ terminal }) => terminal)
    }
  }

  const done = follow()
  const lanes = Promise.all(Array.from({ length: LANES }, lane))
  return {
    jobIds,
    written,
    read: (jobId, sinceSeq = 0) => call('getJob', { jobId, sinceSeq }),
    async end() {
      over = true
      await lanes
      following.abort()
      await done
    },
  }
}

/** What is told of a job that ended, to each window and to the page, as `event:seq`: all that its snapshot says. */
export function storyOf({ state, startedAt, lastSeq }: JobSnapshot): string[] {
  const progress = Array.from({ length: lastSeq }, (_, at) => `progress:${at + 1}`)
  return ['queued:0', ...(startedAt === null ? [] : ['running:0']), ...progress, `${state}:${lastSeq}`]
}
