import { setTimeout as pause } from 'node:timers/promises'
import { firstLineOf } from '../terminal/first-line.ts'
import type { Bench } from './bench.ts'
import { bounds } from './bounds.ts'
import { actOn, type Control, findControl } from './controls.ts'
import { readPage } from './page-state.ts'
import type { Stage } from './stage.ts'
import type { Visit } from './visit.ts'

/** What brings an app to work: the controls that are used, in order, until enough of them have made calls. */
export interface Trail {
  /** The keys of the controls, up to the last one that counts. */
  readonly keys: readonly string[]
  /** Those among them that made calls. */
  readonly working: readonly string[]
  /** Whether any call succeeded. */
  readonly succeeds: boolean
  /** How many controls were used in all. */
  readonly used: number
  /** The text of the app before anything was used. */
  readonly startText: string
  /** Steps of the story that failed, and why not all controls could be used: a sentence each. */
  readonly problems: readonly string[]
}

/**
 * Finds what brings the app to work: runs the steps of its story, or uses each of its controls once. Where it cannot go
 * on, it returns what it has found, with the reason among the problems. Errors: the check is over.
 */
export async function explore(bench: Bench, first: Stage, visit: Visit): Promise<Trail> {
  const startText = (await readPage(first.frame))?.text ?? ''
  const { steps } = bench.story
  if (steps) {
    const { answered } = first.calls
    const problems = await runSteps(bench, first, () => false)
    visit.throwIfOver()
    const succeeds = first.calls.answered > answered
    return { keys: [], working: [], succeeds, used: Object.keys(steps).length, startText, problems }
  }
  const used: string[] = []
  const closing = new Set<string>()
  const working: string[] = []
  const problems: string[] = []
  let succeeds = false
  let stage = first
  const until = performance.now() + bounds.EXPLORE_MS
  const goesOn = () => used.length < bounds.PRESSES && performance.now() < until
  /** Uses the next control; `false`: there is none. */
  async function pressNext(): Promise<boolean> {
    if (stage.isClosed()) {
      // Closing its window is what an app may do: what comes after it is found in another one.
      const by = used.at(-1)
      if (by === undefined || closing.has(by)) throw new Error('it closed its window by itself')
      closing.add(by)
      stage = await visit.open()
    }
    const control = await nextControl(stage, used)
    if (!control) return stage.isClosed()
    const { begun, answered } = stage.calls
    used.push(control.key)
    await actOn(control)
    await stage.calls.quiet()
    if (stage.calls.begun > begun) working.push(control.key)
    succeeds ||= stage.calls.answered > answered
    return true
  }
  try {
    while (goesOn() && (await pressNext()));
  } catch (error) {
    visit.throwIfOver()
    problems.push(`after ${used.at(-1) ?? 'its start'} it could not be used: ${firstLineOf(error)}`)
  }
  if (stage.isClosed()) closing.add(used.at(-1) ?? '')
  const wanted = working.filter((key) => !closing.has(key)).slice(0, bounds.WORKING)
  const last = used.indexOf(wanted.at(-1) ?? '')
  const keys = used.slice(0, last + 1).filter((key) => !closing.has(key))
  return { keys, working: wanted, succeeds, used: used.length, startText, problems }
}

/** Returns what brings the app to work, which was found before. */
export function trailOf({ trail }: Bench): Trail {
  if (!trail) throw new Error('what brings the app to work was not found')
  return trail
}

/**
 * Brings the app to work as before, until `isEnough`. Under a fault some of it does not succeed, and that is no problem.
 */
export async function work(bench: Bench, stage: Stage, isEnough: () => boolean = () => false): Promise<void> {
  if (bench.story.steps) return void (await runSteps(bench, stage, isEnough))
  for (const key of trailOf(bench).keys) {
    if (isEnough() || stage.isClosed()) return
    const control = await nextControl(stage, [], key)
    if (!control) continue
    await actOn(control)
    await stage.calls.quiet()
  }
}

/** Finds the next control, where a press may have loaded the document anew; `null` also where it closed its window. */
async function nextControl(stage: Stage, used: readonly string[], wanted?: string): Promise<Control | null> {
  try {
    return await findControl(stage.frame, used, wanted)
  } catch {
    await stage.calls.quiet()
    return stage.isClosed() ? null : await findControl(stage.frame, used, wanted)
  }
}

/** Runs the steps of the story, and says which of them failed. */
async function runSteps({ story }: Bench, stage: Stage, isEnough: () => boolean): Promise<string[]> {
  const { frame, page, calls } = stage
  const problems: string[] = []
  for (const [name, step] of Object.entries(story.steps ?? {})) {
    if (isEnough() || stage.isClosed()) break
    const late = pause(bounds.STEP_MS, `it takes longer than ${bounds.STEP_MS} ms`, { ref: false })
    const enough = until(isEnough)
    const failed = await Promise.race([
      step({ frame, page }).then(() => null, firstLineOf),
      enough.reached.then(() => null),
      late,
    ])
    enough.stop()
    if (failed !== null) problems.push(`the step ${JSON.stringify(name)} failed: ${failed}`)
    await calls.quiet()
  }
  return problems
}

/** Looks again and again whether something holds, until it does or `stop` is called. */
function until(holds: () => boolean) {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(() => holds() && resolve(), bounds.QUIET_MS)
  return { reached, stop: () => clearInterval(timer) }
}
