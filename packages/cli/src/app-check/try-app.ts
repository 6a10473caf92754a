import { setTimeout as pause } from 'node:timers/promises'
import { broken, type Verdict, verdictOf } from '../checks/check.ts'
import { firstLineOf } from '../terminal/first-line.ts'
import type { Bench } from './bench.ts'
import { bounds } from './bounds.ts'
import { uncaughtProblems } from './complaints.ts'
import type { Stage, StageOptions } from './stage.ts'
import { openVisit, type Visit } from './visit.ts'
import { explore } from './work.ts'

const ENDED_HINT = 'Run it again. If the browser ends each time, look at how much memory the app takes.'

/** What was seen of an app. */
export interface Seen {
  readonly problems: readonly string[]
  /** What holds, in a few words. */
  readonly note?: string
  /** How to put the problems right, where the hint of the check would not help. */
  readonly hint?: string
}

/**
 * Opens the app and looks at it. What nothing caught, in any window that the check opened, is a problem in each check, and
 * so is a look that cannot be ended, or is not within `checkMs`. An app with a problem is taken a picture of, whose path
 * is its last line.
 */
export async function tryApp(
  bench: Bench,
  id: string,
  options: StageOptions,
  look: (stage: Stage, visit: Visit) => Promise<Seen>,
  checkMs: number = bounds.CHECK_MS,
): Promise<Verdict> {
  const visit = openVisit(bench)
  let stage: Stage | undefined
  async function see(): Promise<Seen> {
    try {
      // How the app is brought to work is found in a window of its own, and by the first check in that of its own.
      if (id !== 'app.start') bench.trail ??= await explore(bench, await visit.open(), visit)
      stage = await visit.open(options)
      return await look(stage, visit)
    } catch (error) {
      return { problems: [stage?.isClosed() ? 'it closed its window by itself' : firstLineOf(error)] }
    }
  }
  async function work(): Promise<Verdict> {
    const { problems, note, hint } = await see()
    const ended = bench.whyEnded()
    if (ended !== null) return { kind: 'broken', problems: [ended], hint: ENDED_HINT }
    const all = [...problems, ...uncaughtProblems(visit.complaints)]
    const verdict = verdictOf(
      all.length > 0 && stage ? [...all, ...(await picture(bench, id, visit.last))] : all,
      note,
    )
    return verdict.kind === 'broken' && hint !== undefined ? { ...verdict, hint } : verdict
  }
  const late = pause(checkMs, broken(`it was not done after ${checkMs} ms`), { ref: false })
  return await Promise.race([work(), late]).finally(visit.end)
}

/** Takes a picture; a page that cannot be drawn any more has none. */
async function picture(bench: Bench, id: string, stage: Stage | undefined): Promise<string[]> {
  if (!stage) return []
  const path = await bench.picturePath(id)
  try {
    await stage.page.screenshot({ path, timeout: bounds.FRAME_MS * 2 })
    return [`picture: ${path}`]
  } catch {
    return []
  }
}
