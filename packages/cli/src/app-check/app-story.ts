import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { didYouMean } from '@svc/contract/nearest'
import type { PluginDescription } from '@svc/contract/stdio'
import type { TestModels, TestTools } from '@svc/testing'
import type { Frame, Page } from 'playwright-core'
import { failure } from '../terminal/failure.ts'

/** What a step of an app works with. */
export interface StepParts {
  /** The frame that the app runs in: `frame.getByRole('button', { name: 'Save' })`. */
  readonly frame: Frame
  /** The page around it. */
  readonly page: Page
}

/**
 * Tools of plugins, by the names under which the manifest declares them: functions, as in `@svc/testing`; or what a plugin
 * says of itself on `describe`, and each of its tools returns a sample of its `output_schema`.
 */
export type StoryTools = Readonly<Record<string, TestTools[string] | PluginDescription>>

/**
 * How an app is brought to work, where pressing its buttons does not: the default export of `svc.check.ts` or
 * `svc.check.js` in the folder of the app.
 *
 * @example
 * ```ts
 * import type { AppStory } from '@svc/cli/app-story'
 *
 * export default {
 *   steps: {
 *     'describe the sample': ({ frame }) => frame.getByRole('button', { name: 'Try 100 000 rides' }).click(),
 *   },
 * } satisfies AppStory
 * ```
 */
export interface AppStory {
  /** What brings the app to work, by names, in this order. Default: each of its controls is used once. */
  readonly steps?: Readonly<Record<string, (parts: StepParts) => Promise<unknown>>>
  /** Tools of plugins that `svc.plugins` of package.json does not start, or in place of those that it starts. */
  readonly tools?: StoryTools
  /** What models say. Default: a sentence. */
  readonly models?: TestModels
  /** The view that is opened. Default: the default view. */
  readonly view?: string
  /** What the app reads as `entry_payload`. */
  readonly payload?: unknown
}

/** The names that the file may have. */
const FILES = ['svc.check.ts', 'svc.check.js']

const KEYS: ReadonlySet<string> = new Set(['steps', 'tools', 'models', 'view', 'payload'])

/** Reads the story of an app; an empty one where there is no file. Errors: `config`. */
export async function readStory(dir: string): Promise<AppStory> {
  const name = FILES.find((file) => existsSync(path.join(dir, file)))
  if (name === undefined) return {}
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path.join(dir, name)).href).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw failure('config', `${name} could not be read: ${why}`)
    },
  )
  const story = loaded.default
  if (typeof story !== 'object' || story === null)
    throw failure('config', `${name} must export an object by default`, 'export default { steps: { … } }')
  const stray = Object.keys(story).find((key) => !KEYS.has(key))
  if (stray !== undefined)
    throw failure(
      'config',
      `${name} has no key ${stray}${didYouMean(stray, KEYS)}`,
      `It may have: ${[...KEYS].join(', ')}.`,
    )
  const { steps = {} } = story as AppStory
  const wrong = Object.entries(steps).find(([, step]) => typeof step !== 'function')
  if (wrong) throw failure('config', `the step ${JSON.stringify(wrong[0])} of ${name} must be a function`)
  return story
}
