import type { Browser, Page } from 'playwright-core'

/** What an app says of itself: `bench.figures` of `app.ts`. */
interface AppFigures {
  readonly readyAt: number
  readonly tokens: number
  readonly troubles: readonly string[]
}

/** When a window was asked for and seen, on the clock of all documents. */
interface Opened {
  readonly from: number
  readonly seen: number
}

const VIEWPORT = { width: 1_280, height: 800 }

/** A tab without anything kept from before. */
export async function freshTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  return context.newPage()
}

/** First paint and first contentful paint of a page, in ms from the beginning of its navigation. */
export async function paintsOf(page: Page, url: string): Promise<{ first: number; contentful: number }> {
  await page.goto(url)
  const read = `new Promise((resolve) => {
    const timer = setInterval(() => {
      const [first, contentful] = performance.getEntriesByType('paint')
      if (!contentful) return
      clearInterval(timer)
      resolve({ first: first.startTime, contentful: contentful.startTime })
    }, 20)
  })`
  return page.evaluate(read)
}

/** Signs in at the page of windows. */
export async function signIn(page: Page, url: string, user: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Your name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Apps' }).getByRole('button').first().waitFor()
}

/**
 * Opens the `count`th window: ms from the click until its frame is painted, and until its app is connected to the host
 * and has painted that.
 */
export async function openWindow(page: Page, count: number): Promise<{ visible: number; ready: number }> {
  const click = `new Promise((resolve) => {
    const now = () => performance.timeOrigin + performance.now()
    const from = now()
    document.querySelector('nav[aria-label=Apps] button').click()
    const look = () => {
      if (document.querySelectorAll('[data-window] iframe').length < ${count}) requestAnimationFrame(look)
      else requestAnimationFrame(() => setTimeout(() => resolve({ from, seen: now() })))
    }
    look()
  })`
  const { from, seen } = await page.evaluate<Opened>(click)
  for (;;) {
    const figures = await figuresOf(page, count)
    if (figures) return { visible: seen - from, ready: figures.readyAt - from }
    await page.waitForTimeout(10)
  }
}

/** What the app in the `count`th window says; nothing before it is ready. */
export async function figuresOf(page: Page, count: number): Promise<AppFigures | undefined> {
  const frame = page.frames()[count]
  return frame?.evaluate<AppFigures | undefined>('globalThis.bench?.figures').catch(() => undefined)
}

/** The share of frames of a page over `ms` that came later than a screen of 60 Hz wants them, in percent. */
export async function lateFrames(page: Page, ms: number): Promise<number> {
  await page.bringToFront()
  const deltas = await page.evaluate<number[]>(`new Promise((resolve) => {
    const deltas = []
    let last = performance.now()
    const end = last + ${ms}
    const next = () => {
      const now = performance.now()
      deltas.push(now - last)
      last = now
      if (now < end) requestAnimationFrame(next)
      else resolve(deltas)
    }
    requestAnimationFrame(next)
  })`)
  return (deltas.filter((delta) => delta > LATE_MS).length / deltas.length) * 100
}

/** 60 a second are 16.7 ms apart. */
const LATE_MS = 17.5
