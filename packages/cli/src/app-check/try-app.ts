import { setTimeout as pause } from 'node:timers/promises'
import { broken, type Verdict, verdictOf } from '../checks/check.ts'
import type { Bench } from './bench.ts'
import { bounds } from './bounds.ts'
import { uncaughtProblems } from './complaints.ts'
import type { Stage, StageOptions } from './stage.ts'
import { trailOf } from './work.ts'

/** What was seen of an app. */
export interface Seen {
  readonly problems: readonly string[]
  /** What holds, in a few words. */
  readonly note?: string
}

/**
 * Opens the app and looks at it. What nothing caught is a problem in each check; an app with a problem is taken a picture
 * of, whose path is its last line.
 */
export async function tryApp(
  bench: Bench,
  id: string,
  options: StageOptions,
  look: (stage: Stage) => Promise<Seen>,
): Promise<Verdict> {
  const work = async (): Promise<Verdict> => {
    let stage: Stage
    try {
      // How the app is brought to work is found in a window of its own, and by the first check in that of its own.
      if (id !== 'app.start') await trailOf(bench)
      stage = await bench.open(options)
    } catch (error) {
      return broken(error instanceof Error ? error.message : String(error))
    }
    const { problems, note } = await look(stage)
    const all = [...problems, ...uncaughtProblems(stage.complaints)]
    return verdictOf(all.length > 0 ? [...all, ...(await picture(bench, id, stage))] : [], note)
  }
  const late = pause(bounds.CHECK_MS, broken(`it was not done after ${bounds.CHECK_MS} ms`), { ref: false })
  return await Promise.race([work(), late])
}

/** Takes a picture; a page that cannot be drawn any more has none. */
async function picture(bench: Bench, id: string, { page }: Stage): Promise<string[]> {
  const path = await bench.picturePath(id)
  try {
    await page.screenshot({ path, timeout: bounds.FRAME_MS * 2 })
    return [`picture: ${path}`]
  } catch {
    return []
  }
}
