import type { Frame } from 'playwright-core'
import { bounds } from './bounds.ts'

/** What an app shows and how it runs, as its document tells. */
export interface PageState {
  /** The text that a user can read. */
  readonly text: string
  /** Whether there is anything to see: text, a control, a picture. */
  readonly hasContent: boolean
  /** How long the longest task of the main thread took since the last look, in ms. */
  readonly longestTaskMs: number
}

/** What the script in each document keeps. */
interface Kept {
  svcCheckTasks?: number[]
}

/** Notes long tasks, in each document from its beginning. It runs there. */
export function noteTasks(): void {
  const tasks: number[] = []
  ;(globalThis as Kept).svcCheckTasks = tasks
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

function look() {
  const seen = [...document.body.querySelectorAll('*')].some((element) => {
    const isPicture = element.matches(
      'img, svg, canvas, video, input, button, select, textarea, progress, meter',
    )
    return isPicture && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  })
  const tasks = (globalThis as Kept).svcCheckTasks?.splice(0) ?? []
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must stay out
  const text = document.body.innerText.trim()
  return { text, hasContent: seen || text !== '', longestTaskMs: Math.max(0, ...tasks) }
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** Waits until the document has drawn a frame; `false`: it hangs, or went away. */
export async function draws(frame: Frame): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, bounds.FRAME_MS, false)
  const drawn = frame.evaluate(nextFrame).then(
    () => true,
    () => false,
  )
  return await Promise.race([drawn, late]).finally(() => clearTimeout(timer))
}

/** Reads it; `null` where the document hangs. */
export const readPage = async (frame: Frame): Promise<PageState | null> =>
  (await draws(frame)) ? await frame.evaluate(look).catch(() => null) : null

/** Whether a text has a word that the one before had not: a clock or a count that goes on says nothing new. */
export function saysMore(before: string, after: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? []
  const known = new Set(wordsOf(before))
  return wordsOf(after).some((word) => !known.has(word))
}

/** What is wrong with how an app runs and what it shows, a sentence each. */
export function stateProblems(state: PageState | null, when: string): string[] {
  if (!state) return [`${when} its document gave no answer within ${bounds.FRAME_MS} ms: it hangs`]
  const { hasContent, longestTaskMs } = state
  return [
    ...(hasContent ? [] : [`${when} it showed nothing`]),
    ...(longestTaskMs <= bounds.TASK_MS
      ? []
      : [`${when} one task kept its main thread busy for ${Math.round(longestTaskMs)} ms`]),
  ]
}
