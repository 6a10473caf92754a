import { readFileSync } from 'node:fs'
import path from 'node:path'
import { manifestSchema } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { loadAxe } from '../app-check/axe.ts'
import { openBench } from '../app-check/bench.ts'
import { appChecks } from '../app-check/check-app.ts'
import { openTools } from '../app-check/plugins.ts'
import type { Trail } from '../app-check/work.ts'
import type { Verdict } from '../checks/check.ts'
import { readProject } from '../project/project.ts'
import type { AppFault, makeFaultyApp } from './faulty-app.ts'

/** The tools of the faulty app. */
export const faultyTools = {
  odd: { add: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }) },
}

/** What the app without a fault is used by. */
export const faultyTrail: Trail = {
  keys: ['text "Name"', 'button "Add"', 'button "Save"'],
  working: ['button "Add"', 'button "Save"'],
  succeeds: true,
  used: 3,
  startText: '',
  problems: [],
}

/** Reads the manifest of a built app. */
export const readManifest = (dir: string) =>
  manifestSchema.parse(JSON.parse(readFileSync(path.join(dir, 'manifest.json'), 'utf8')))

/** Runs one check of an app with a fault; how an app is brought to work is known already. */
export async function tryFault(
  browser: Browser,
  { dir }: Pick<Awaited<ReturnType<typeof makeFaultyApp>>, 'dir'>,
  fault: AppFault | null,
  id: string,
  trail = faultyTrail,
): Promise<Verdict | undefined> {
  const opened = await openTools(readProject(dir), faultyTools, { signal: undefined, isolation: 'auto' })
  const story = { payload: { fault } }
  const axe = await loadAxe(import.meta.dirname)
  const bench = openBench({ browser, manifest: readManifest(dir), dir, story, tools: opened, axe })
  bench.trail = trail
  const verdict = await appChecks.find((one) => one.id === id)?.run(bench)
  await bench.clear()
  await opened.close()
  return verdict
}
