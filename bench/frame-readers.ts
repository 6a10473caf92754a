import { fanOut } from './events/fan-out.ts'
import { openRunFeed } from './events/run-feed.ts'
import type { Outcome } from './lib/pairs.ts'

const READERS = 50
const FRAMES_A_BLOCK = 2_000
const RUN_COUNTS = [1, 20]

/** Tokens of a model, as frames of runs, to the pages of their user beside one `res.write` a frame and reader. */
export async function benchFrameReaders(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const runs of RUN_COUNTS) {
    const title = `tokens of ${runs} runs, from the model to ${READERS} readers, one a tick each`
    const feed = await openRunFeed(READERS, runs)
    outcomes.push(await fanOut({ title, feed, readers: READERS, frames: FRAMES_A_BLOCK, aTick: runs }))
  }
  return outcomes
}

if (import.meta.main) await benchFrameReaders()
