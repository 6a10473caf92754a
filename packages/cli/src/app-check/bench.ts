import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Manifest } from '@svc/contract'
import type { Browser } from 'playwright-core'
import type { Check } from '../checks/check.ts'
import type { AppStory } from './app-story.ts'
import type { Axe } from './axe.ts'
import type { AppTools } from './plugins.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import type { Trail } from './work.ts'

/** One thing that an app has to survive. */
export type AppCheck = Check<Bench>

/** What the checks of one app share. */
export interface Bench {
  readonly manifest: Manifest
  readonly story: AppStory
  /** Finds what keeps people out; `null`: axe-core is not installed. */
  readonly axe: Axe | null
  /** What brings the app to work, once it was found: how the checks after it use the app. */
  trail: Trail | null
  /** Opens the app, in a browser context and with a host of its own. */
  open(options?: StageOptions): Promise<Stage>
  /** Why nothing can be opened any more; `null`: it can. */
  whyEnded(): string | null
  /** A new path for a picture of the app. */
  picturePath(name: string): Promise<string>
  clear(): Promise<void>
  stop(): void
}

/** What a bench is made of. */
export interface BenchOptions {
  readonly browser: Browser
  readonly manifest: Manifest
  /** The folder of the built app. */
  readonly dir: string
  readonly story: AppStory
  readonly tools: AppTools
  readonly axe: Axe | null
  /** Where pictures go. Default: a new folder for files that do not stay. */
  readonly pictures?: string | undefined
}

/** Opens the bench. */
export function openBench(options: BenchOptions): Bench {
  const { manifest, story, axe, browser } = options
  const closers = new Set<() => Promise<void>>()
  let pictures: Promise<string> | undefined
  let isStopped = false

  const clear = async () => {
    const open = [...closers]
    closers.clear()
    await Promise.all(open.map((close) => close()))
  }
  async function makePictures(): Promise<string> {
    if (options.pictures === undefined) return mkdtemp(path.join(tmpdir(), 'svc-app-check-'))
    await mkdir(options.pictures, { recursive: true })
    return options.pictures
  }
  return {
    manifest,
    story,
    axe,
    trail: null,
    async open(how = {}) {
      if (isStopped) throw new Error('the check was stopped')
      return openStage({
        ...options,
        how,
        onClose(close) {
          closers.add(close)
          if (isStopped) void close().catch(() => undefined)
        },
      })
    },
    whyEnded: () => (browser.isConnected() ? null : 'the browser has ended'),
    async picturePath(name) {
      pictures ??= makePictures()
      return path.join(await pictures, `${name}.png`)
    },
    clear,
    stop() {
      isStopped = true
      void clear().catch(() => undefined)
    },
  }
}
