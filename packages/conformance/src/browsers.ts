import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './chromium.ts'
import { FIREFOX, openFirefox } from './other-browsers/firefox.ts'
import type { Tab } from './other-browsers/tab.ts'
import { WEBKIT } from './other-browsers/webdriver.ts'
import { openWebkit } from './other-browsers/webkit.ts'
import { field } from './testing/tab-page.ts'

export type { Tab } from './other-browsers/tab.ts'
export { mount, read, shown, startBridge } from './testing/tab-page.ts'

async function openChromium(): Promise<Tab> {
  const browser = await launchChromium()
  const page = await browser.newPage()
  return {
    goto: (url) => page.goto(url),
    run: (body, where = 'page') => {
      const frame = where === 'page' ? page.mainFrame() : page.frames().at(-1)
      return frame?.evaluate(`(async () => { ${body} })()`) ?? Promise.reject(new Error('there is no frame'))
    },
    press: (selector) =>
      page.frames().at(-1)?.click(selector) ?? Promise.reject(new Error('there is no frame')),
    async paste() {
      await page.evaluate(field)
      await page.press('.pasted', 'Control+V')
      return page.inputValue('.pasted')
    },
    names: () => new Set(),
    close: () => browser.close(),
  }
}

interface EngineRow {
  /** What it needs on the machine; Chromium says by itself what is missing. */
  readonly programs: readonly string[]
  open(dir: string): Promise<Tab>
}

const engines = {
  chromium: { programs: [], open: openChromium },
  firefox: { programs: [FIREFOX], open: openFirefox },
  webkit: { programs: [WEBKIT.driver, WEBKIT.browser, '/usr/bin/xvfb-run'], open: openWebkit },
} satisfies Record<string, EngineRow>

/** The browsers that tests drive. */
export type Engine = keyof typeof engines

/** Names what a browser needs and this machine does not have; `null`: it can be started. */
export const engineProblem = (engine: Engine): string | null => {
  const absent = engines[engine].programs.find((program) => !existsSync(program))
  return absent === undefined ? null : `there is no ${absent}`
}

/** Opens a browser with one tab and an empty profile; closing the tab ends it. */
export async function openTabOf(engine: Engine): Promise<Tab> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  const tab = await engines[engine].open(dir).catch((error: unknown) => {
    remove()
    throw error
  })
  return { ...tab, close: () => tab.close().finally(remove) }
}
