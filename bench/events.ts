import { fanOut } from './events/fan-out.ts'
import { openJobFeed } from './events/job-feed.ts'
import type { Outcome } from './lib/pairs.ts'

const A_TICK = 20
const FRAMES_A_BLOCK: ReadonlyMap<number, number> = new Map([
  [1, 20_000],
  [50, 2_000],
  [500, 400],
])

/** The progress of a job to 1, 50 and 500 readers beside one `res.write` a frame and reader. */
export async function benchEvents(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [readers, frames] of FRAMES_A_BLOCK) {
    const title = `progress of a job, as events to ${readers} readers, ${A_TICK} a tick`
    const feed = await openJobFeed(readers)
    outcomes.push(await fanOut({ title, feed, readers, frames, aTick: A_TICK }))
  }
  return outcomes
}

if (import.meta.main) await benchEvents()
