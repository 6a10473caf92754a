import { didYouMean, type Manifest } from '@svc/contract'
import type { IsolationOption } from '@svc/runner'
import type { Browser } from 'playwright-core'
import type { Finding } from '../checks/check.ts'
import { runChecks } from '../checks/run-checks.ts'
import type { Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'
import type { AppStory } from './app-story.ts'
import { loadAxe } from './axe.ts'
import { type AppCheck, openBench } from './bench.ts'
import { launchBrowser } from './browser.ts'
import { hostGoneCheck, slowCheck } from './checks/host.ts'
import { closeCheck, reloadCheck } from './checks/in-flight.ts'
import { keyboardCheck } from './checks/keyboard.ts'
import { darkCheck, narrowCheck } from './checks/look.ts'
import { deniedCheck, errorsCheck } from './checks/refusals.ts'
import { startCheck } from './checks/start.ts'
import { openTools } from './plugins.ts'

/** All checks of an app, in the order in which they are tried. */
export const appChecks: readonly AppCheck[] = [
  startCheck,
  reloadCheck,
  deniedCheck,
  errorsCheck,
  hostGoneCheck,
  slowCheck,
  closeCheck,
  narrowCheck,
  darkCheck,
  keyboardCheck,
]

/** What is checked, and how. */
export interface AppCheckOptions {
  /** The app; it is built. */
  readonly project: Project
  readonly manifest: Manifest
  /** How it is brought to work, from its `svc.check.ts`. */
  readonly story: AppStory
  /** The requirements that are tried. Default: all. */
  readonly only?: readonly string[] | undefined
  /** What walls its plugins have. Default `auto`. */
  readonly isolation?: IsolationOption
  /** Shows the browser. Default `false`. */
  readonly headed?: boolean
  /** Where pictures of what is wrong go. Default: a new folder for files that do not stay. */
  readonly pictures?: string | undefined
  /** A browser that is open already, and stays open. Default: one is started. */
  readonly browser?: Browser
  readonly signal?: AbortSignal
  readonly onFinding?: (finding: Finding) => void
  /** Called with a sentence about a plugin that runs without isolation, or that the app is without. */
  readonly onNote?: (sentence: string) => void
}

/** Finds the checks by their requirements. Errors: `usage`. */
export function checksOf(only: readonly string[] | undefined): readonly AppCheck[] {
  if (!only) return appChecks
  const stray = only.find((id) => !appChecks.some((check) => check.id === id))
  if (stray === undefined) return appChecks.filter(({ id }) => only.includes(id))
  throw failure(
    'usage',
    `no check proves ${JSON.stringify(stray)}${didYouMean(
      stray,
      appChecks.map(({ id }) => id),
    )}`,
    `There are: ${appChecks.map(({ id }) => id).join(', ')}.`,
  )
}

/**
 * Opens an app in a browser, on the host of `@svc/testing`, once for each story that it should survive. Errors: `usage`
 * for a requirement that is none, `config` where there is no browser, the reason of the signal.
 */
export async function checkApp(options: AppCheckOptions): Promise<Finding[]> {
  const { project, manifest, story, signal, headed = false, isolation = 'auto' } = options
  const checks = checksOf(options.only)
  const { dir } = project
  const browser = options.browser ?? (await launchBrowser(dir, { headed }))
  try {
    const tools = await openTools(project, story.tools ?? {}, { signal, isolation })
    try {
      for (const note of tools.notes) options.onNote?.(note)
      const axe = await loadAxe(dir)
      const bench = openBench({
        browser,
        manifest,
        story,
        tools,
        axe,
        dir: project.bundleDir,
        pictures: options.pictures,
      })
      return await runChecks({
        bench,
        checks,
        signal,
        onFinding: options.onFinding,
        silent: 'the app does not start',
        whyEnded: bench.whyEnded,
      }).finally(() => bench.clear())
    } finally {
      await tools.close()
    }
  } finally {
    if (!options.browser) await browser.close()
  }
}
