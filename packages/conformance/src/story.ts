import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** A story is over by then, whatever hangs. */
const STORY_MAX_MS = 60_000
/** One wait inside it. */
const WAIT_MAX_MS = 10_000

/** A body of calls that the page sent to its host. */
export interface SentBody {
  readonly body: string
  /** Whether the page itself sent it, and no document in it. */
  readonly byPage: boolean
}

/** What a story is told with. */
export interface Story {
  readonly page: Page
  /** Where the page of windows is. */
  readonly url: string
  /** What the page has sent so far, by either way. */
  readonly sent: readonly SentBody[]
  /** Proves one thing and prints it with a tick; what follows a failure is not told. */
  see(what: string, prove: () => Promise<void>): Promise<void>
}

/** What a story needs: a harness of its own, and the telling. */
export interface StoryOptions {
  readonly start: () => Promise<{ readonly url: string; readonly startUrl: string; close(): Promise<void> }>
  readonly tell: (story: Story) => Promise<void>
}

/**
 * Tells the story of an example in a real browser: one line for each thing seen, and last
 * `checks: 12 passed, 0 failed`. Browser and harness are closed whatever happens; a failure makes the
 * process end with 1.
 */
export async function tellStory({ start, tell }: StoryOptions): Promise<void> {
  const closers: (() => Promise<void>)[] = []
  const complaints: string[] = []
  let page: Page | undefined
  let passed = 0
  let failed = 0

  async function see(what: string, prove: () => Promise<void>): Promise<void> {
    const from = performance.now()
    await prove().catch(async (error: unknown) => {
      console.log(`✗ ${what}`)
      complaints.push(...(await textsOn(page)))
      throw error
    })
    passed++
    console.log(`✓ ${what} (${Math.round(performance.now() - from)} ms)`)
  }

  async function whole(): Promise<void> {
    const harness = await start()
    closers.push(() => harness.close())
    const browser: Browser = await launchChromium()
    closers.push(() => browser.close())
    page = await browser.newPage({ viewport: { width: 1_600, height: 1_000 } })
    page.setDefaultTimeout(WAIT_MAX_MS)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (line) => {
      // A refused call is also a failed request in the browser's eyes; the story itself judges those.
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
        complaints.push(line.text())
    })
    const sent = watchBodies(page)
    await page.goto(harness.startUrl)
    await tell({ page, url: harness.url, sent, see })
    await see('the browser complained of nothing', async () => {
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    })
  }

  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`the story must end within ${STORY_MAX_MS} ms`)),
    STORY_MAX_MS,
  )
  try {
    await Promise.race([whole(), late])
  } catch (error) {
    failed++
    console.error(error, ...complaints)
  } finally {
    clearTimeout(timer)
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error))
  }
  console.log(`checks: ${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Notes every body of calls that leaves the page, from now on. */
function watchBodies(page: Page): SentBody[] {
  const sent: SentBody[] = []
  const note = (url: string, body: string, byPage: boolean) => {
    if (/\/runtime\/(rpc|calls)$/.test(new URL(url).pathname)) sent.push({ body, byPage })
  }
  page.on('request', (request) => {
    const body = request.postData()
    if (body !== null) note(request.url(), body, request.frame() === page.mainFrame())
  })
  // The host takes no socket from a sandboxed document.
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => note(socket.url(), String(payload), true)),
  )
  return sent
}

/** What a user could read when something failed: the page, and each document in its windows. */
async function textsOn(page: Page | undefined): Promise<string[]> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden must stay out
  const texts = (page?.frames() ?? []).map((frame) => frame.locator('body').innerText({ timeout: 1_000 }))
  const read = await Promise.allSettled(texts)
  return read.flatMap((one) => (one.status === 'fulfilled' ? [`\n── shown\n${one.value}`] : []))
}

/** Signs in on the page as a user does. */
export async function signIn({ page }: Pick<Story, 'page'>, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Apps' }).waitFor()
}

/** Opens a window of an app from the launcher; returns where it stands among the windows, counted from 0. */
export async function openApp({ page }: Pick<Story, 'page'>, name: string): Promise<number> {
  const windows = page.locator('[data-window]')
  const before = await windows.count()
  await page.getByRole('navigation', { name: 'Apps' }).getByTitle(`Open ${name}`).click()
  await windows.nth(before).locator('iframe').waitFor()
  return before
}

/** A window by its place in the order of opening: its frame on the page, and what stands inside its iframe. */
export function windowAt({ page }: Pick<Story, 'page'>, place: number) {
  const frame = page.locator('[data-window]').nth(place)
  return { frame, iframe: frame.locator('iframe'), inside: frame.locator('iframe').contentFrame() }
}
