import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { bounds } from './bounds.ts'
import { actOn, findControl } from './controls.ts'
import { readPage } from './page-state.ts'
import type { Stage } from './stage.ts'

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
  /** Steps of the story that failed, a sentence each. */
  readonly problems: readonly string[]
}

/** Finds what brings the app to work: runs the steps of its story, or uses each of its controls once. */
export async function explore(bench: Bench, first: Stage): Promise<Trail> {
  const startText = (await readPage(first.frame))?.text ?? ''
  const { steps } = bench.story
  if (steps) {
    const { answered } = first.calls
    const problems = await runSteps(bench, first, () => false)
    const succeeds = first.calls.answered > answered
    return { keys: [], working: [], succeeds, used: Object.keys(steps).length, startText, problems }
  }
  const used: string[] = []
  const closing = new Set<string>()
  const working: string[] = []
  let succeeds = false
  const until = performance.now() + bounds.EXPLORE_MS
  for (let stage = first; used.length < bounds.PRESSES && performance.now() < until; ) {
    const control = await findControl(stage.frame, used)
    if (!control) break
    const { begun, answered } = stage.calls
    used.push(control.key)
    await actOn(control)
    await stage.calls.quiet()
    if (stage.calls.begun > begun) working.push(control.key)
    succeeds ||= stage.calls.answered > answered
    if (!stage.isClosed()) continue
    // Closing its window is what an app may do: what comes after it is found in another one.
    closing.add(control.key)
    stage = await bench.open()
  }
  const wanted = working.filter((key) => !closing.has(key)).slice(0, bounds.WORKING)
  const last = used.indexOf(wanted.at(-1) ?? '')
  const keys = used.slice(0, last + 1).filter((key) => !closing.has(key))
  return { keys, working: wanted, succeeds, used: used.length, startText, problems: [] }
}

/** What brings the app to work, which is found once. */
export async function trailOf(bench: Bench): Promise<Trail> {
  bench.trail ??= await explore(bench, await bench.open())
  return bench.trail
}

/**
 * Brings the app to work as before, until `isEnough`. Under a fault some of it does not succeed, and that is no problem.
 */
export async function work(bench: Bench, stage: Stage, isEnough: () => boolean = () => false): Promise<void> {
  if (bench.story.steps) return void (await runSteps(bench, stage, isEnough))
  const { keys } = await trailOf(bench)
  for (const key of keys) {
    if (isEnough() || stage.isClosed()) return
    const control = await findControl(stage.frame, [], key)
    if (!control) continue
    await actOn(control)
    await stage.calls.quiet()
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
      step({ frame, page }).then(
        () => null,
        (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
      ),
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
