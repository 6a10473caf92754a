import { type Ability, type StoryBrowser, storyBrowsers } from './story-browsers.ts'
import type { StoryHarness, StoryHost } from './story-hosts.ts'
import type { OpenPage, SentBody, StoryPage } from './story-page.ts'

/** How many hosts a story is told on, behind one address; 0: one, at its own. */
const HOSTS = Number(process.env.SVC_STORY_HOSTS ?? 0)
/** Servers and several hosts have to start. */
const HOSTS_STORY_MAX_MS = 240_000
/** And so much of a machine of two cores is at work for each step. */
const HOSTS_WAIT_MAX_MS = 30_000

const SIZE = { width: 1_600, height: 1_000 }

/** What a story is told with. */
export interface Story {
  readonly page: StoryPage
  /** Where the page of windows is. */
  readonly url: string
  /** What the page has sent so far, by either way. */
  readonly sent: readonly SentBody[]
  /**
   * Proves one thing and prints it with a tick; what follows a failure is not told. Where the browser lacks what the proof
   * needs, it is left out, and the reason printed.
   */
  see(what: string, prove: () => Promise<void>, needs?: Ability): Promise<void>
  /** Replaces a text in each script of a bundle that is loaded from now on; needs `scripts`. */
  changeScripts(from: string, to: string): Promise<void>
}

/** What a story needs: a harness of its own, and the telling. */
export interface StoryOptions {
  /** Starts a harness; `more` is what it shares with others, where several stand behind one address. */
  readonly start: (more: StoryHost) => Promise<StoryHarness>
  readonly tell: (story: Story) => Promise<void>
}

/**
 * Tells the story of an example in a real browser, which SVC_STORY_BROWSER names (default `chromium`), on so many hosts
 * behind one nginx as SVC_STORY_HOSTS says (default: one, and nothing before it): one line for each thing seen, and last `checks: 12 passed, 0 failed`. Browser and harness are closed whatever happens; a failure makes
 * the process end with 1.
 */
export async function tellStory({ start, tell }: StoryOptions): Promise<void> {
  const name = process.env.SVC_STORY_BROWSER ?? 'chromium'
  const browser = storyBrowsers[name]
  if (!browser) throw new Error(`SVC_STORY_BROWSER must be one of ${Object.keys(storyBrowsers).join(', ')}`)
  const closers: (() => Promise<void>)[] = []
  const texts: string[] = []
  let open: OpenPage | undefined
  let passed = 0
  let failed = 0

  async function see(what: string, prove: () => Promise<void>, needs?: Ability): Promise<void> {
    const reason = needs && browser?.lacks[needs]
    if (reason) return console.log(`– ${what} (left out in ${name}: ${reason})`)
    const from = performance.now()
    await prove().catch(async (error: unknown) => {
      console.log(`✗ ${what}`)
      texts.push(...((await open?.texts().catch(() => [])) ?? []))
      throw error
    })
    passed++
    console.log(`✓ ${what} (${Math.round(performance.now() - from)} ms)`)
  }

  async function whole({ open: openPage, waitMaxMs }: StoryBrowser): Promise<void> {
    const harness = await startStory(start)
    closers.push(() => harness.close())
    open = await openPage(SIZE, Math.max(waitMaxMs, HOSTS > 0 ? HOSTS_WAIT_MAX_MS : 0))
    const { page, sent, complaints, changeScripts, close } = open
    closers.push(close)
    await page.goto(harness.startUrl)
    const { url } = harness
    await tell({ page, url, sent, see, changeScripts: (from, to) => changeScripts(url, from, to) })
    const quiet = async () => {
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    }
    await see('the browser complained of nothing', quiet, 'complaints')
  }

  const { promise: late, reject } = Promise.withResolvers<never>()
  const storyMaxMs = Math.max(browser.storyMaxMs, HOSTS > 0 ? HOSTS_STORY_MAX_MS : 0)
  const timer = setTimeout(() => reject(new Error(`the story must end within ${storyMaxMs} ms`)), storyMaxMs)
  try {
    await Promise.race([whole(browser), late])
  } catch (error) {
    failed++
    if (texts.length === 0) texts.push(...((await open?.texts().catch(() => [])) ?? []))
    console.error(error, ...(open?.complaints ?? []), ...texts.map((text) => `\n── shown\n${text}`))
  } finally {
    clearTimeout(timer)
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error))
  }
  console.log(`checks: ${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

async function startStory(start: StoryOptions['start']): Promise<StoryHarness> {
  if (HOSTS === 0) return start({})
  // What it starts is there in the step `cluster` alone.
  const { startStoryHosts } = await import('./story-hosts.ts')
  return startStoryHosts(HOSTS, start)
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
  const button = page.getByRole('navigation', { name: 'Apps' }).getByTitle(`Open ${name}`)
  // By the keyboard: in Firefox the first click of the mouse in a story was lost now and then.
  await button.press('Enter')
  await windows.nth(before).locator('iframe').waitFor()
  return before
}

/** A window by its place in the order of opening: its frame on the page, and what stands inside its iframe. */
export function windowAt({ page }: Pick<Story, 'page'>, place: number) {
  const frame = page.locator('[data-window]').nth(place)
  return { frame, iframe: frame.locator('iframe'), inside: frame.locator('iframe').contentFrame() }
}
