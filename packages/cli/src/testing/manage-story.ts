import type { Browser, Locator, Page } from 'playwright-core'
import { type Harness, startHarness } from '../harness/harness.ts'
import { axeInBoth } from './axe.ts'
import { makePluginApp, type PluginApp } from './plugin-app.ts'

/** More stops of the Tab key than any page here has. */
const STOPS_MAX = 90

/** A harness with an app that calls a plugin, and its page, which is used by the keyboard alone. */
export interface ManageStory {
  readonly app: PluginApp
  readonly harness: Harness
  readonly page: Page
  /** What went wrong in the page, and the documents of the app that were loaded. */
  readonly troubles: readonly string[]
  readonly loads: readonly string[]
  close(): Promise<void>
}

/** Opens it. */
export async function openStory(
  browser: Browser,
  sdk: string,
  plugin: { readonly destructive?: boolean } = {},
): Promise<ManageStory> {
  const app = makePluginApp(sdk, plugin)
  const harness = await startHarness({ dirs: [app.dir] })
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  const troubles: string[] = []
  const loads: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/main.js')) loads.push(request.url())
  })
  await page.goto(harness.startUrl)
  return {
    app,
    harness,
    page,
    troubles,
    loads,
    async close() {
      await context.close()
      await harness.close()
      app.remove()
    },
  }
}

/** Whether the keyboard goes to an element. */
export const hasKeyboard = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { ownerDocument } = element
    return ownerDocument.activeElement === element && ownerDocument.hasFocus()
  })

/** Where things are on the page Manage, and how a keyboard comes to them. */
export function bedOf(page: Page) {
  const bed = page.getByRole('main', { name: 'Manage' })
  const part = (name: string) => bed.getByRole('region', { name, exact: true })
  const button = (name: string, within: Pick<Page, 'getByRole'> = page) =>
    within.getByRole('button', { name, exact: true })
  const box = (name: string) => bed.getByRole('textbox', { name, exact: true })

  /** Goes on by the Tab key to something; the keyboard can reach nothing that this does not. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor()
    for (let stop = 0; stop < STOPS_MAX; stop++) {
      if (await hasKeyboard(target)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the Tab key does not come to ${target}`)
  }
  async function pressKey(target: Locator): Promise<void> {
    await tabTo(target)
    await page.keyboard.press('Enter')
  }
  return {
    bed,
    part,
    button,
    box,
    tabTo,
    pressKey,
    said: (text: string) => page.locator('[role=status].unseen').getByText(text).waitFor(),
    /** Signs in and opens Manage, at a tab that so many presses of an arrow lead to. */
    async enter(arrow?: 'ArrowLeft' | 'ArrowRight'): Promise<void> {
      await pressKey(button('Sign in'))
      await pressKey(button('Manage'))
      if (!arrow) return
      await tabTo(page.getByRole('tab', { name: 'Plugins' }))
      await page.keyboard.press(arrow)
    },
    async write(name: string, text: string): Promise<void> {
      await tabTo(box(name))
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(text)
    },
    /** Arrows go round the choices of a group. */
    async choose(name: string): Promise<void> {
      const radio = bed.getByRole('radio', { name, exact: true })
      const group = page.locator(`[name="${await radio.getAttribute('name')}"]`)
      await tabTo(bed.getByRole('radio', { checked: true }).and(group))
      for (let turn = 0; turn < STOPS_MAX && !(await radio.isChecked()); turn++)
        await page.keyboard.press('ArrowDown')
    },
    /** What axe finds in dark and in light. */
    findings: () => axeInBoth(page),
  }
}
