import { launchChromium } from './chromium.ts'
import { launchFirefox } from './other-browsers/launch-firefox.ts'
import { openWebkitPage } from './other-browsers/webkit-page.ts'
import { openStoryPage } from './playwright-story.ts'
import type { OpenPage } from './story-page.ts'

/** What a story can be told with only where the browser lets itself be driven so. */
export type Ability = 'sent' | 'complaints' | 'scripts'

/** A browser that stories are told in. */
export interface StoryBrowser {
  /** A story is over by then, whatever hangs. */
  readonly storyMaxMs: number
  /** One wait inside it. */
  readonly waitMaxMs: number
  /** What it lacks, each with the reason. */
  readonly lacks: Readonly<Partial<Record<Ability, string>>>
  /** Opens a page of a size; no wait on it is longer than `waitMs`. */
  open(size: { readonly width: number; readonly height: number }, waitMs: number): Promise<OpenPage>
}

/** The browsers by name. */
export const storyBrowsers: Readonly<Record<string, StoryBrowser>> = {
  chromium: {
    storyMaxMs: 180_000,
    waitMaxMs: 30_000,
    lacks: {},
    open: async (size, waitMs) => await openStoryPage(await launchChromium(), size, waitMs),
  },
  firefox: {
    storyMaxMs: 240_000,
    waitMaxMs: 60_000,
    lacks: { sent: 'what goes through a WebSocket cannot be watched' },
    open: async (size, waitMs) => await openStoryPage(await launchFirefox(), size, waitMs),
  },
  webkit: {
    storyMaxMs: 240_000,
    waitMaxMs: 60_000,
    lacks: {
      sent: 'what leaves a page cannot be watched',
      complaints: 'its console cannot be read',
      scripts: 'what comes to a page cannot be changed',
    },
    open: openWebkitPage,
  },
}
