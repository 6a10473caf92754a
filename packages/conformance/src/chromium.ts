import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lazy } from '@svc/node'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Chromium without its windows and menus opens a page in a third of the time. */
const shells = ['chromium-headless-shell', ...browsers]

/** A browser that talks to nobody but the page under test. */
const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Finds a program by its names, in `/usr/bin` and on the PATH. */
function find(names: readonly string[]): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== '')]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs)
}

function optionsOf(args: readonly string[], isWhole: boolean) {
  const executablePath = isWhole
    ? process.env.SVC_BROWSER || find(browsers)
    : process.env.SVC_CHROMIUM || find(shells)
  if (!executablePath)
    throw new Error(
      'No Chromium found: install one (apt-get install chromium) or set SVC_CHROMIUM and SVC_BROWSER to its path.',
    )
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, args: [...quiet, ...asRoot, ...args] }
}

/**
 * Starts a headless Chromium; the caller closes it.
 *
 * @param args further command-line switches.
 * @param isWhole a browser with all its parts, for what its shell does otherwise: frames that may not be shown.
 * @throws when the machine has none, with the sentence that says how to get one.
 */
export const launchChromium = async (args: readonly string[] = [], isWhole = false): Promise<Browser> =>
  await chromium.launch(optionsOf(args, isWhole))

/**
 * The Chromium of this process, for tests that need pages of it alone: started by the first that asks, and ended with the
 * process. Who takes it closes the pages that it opened (`closePages`).
 *
 * @throws when the machine has none, with the sentence that says how to get one.
 */
export const sharedChromium = lazy(() => launchChromium())

/** Closes all pages of a browser, and leaves it running. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/** Starts a whole one with a profile in a folder, as people use it: what it does early is not done in a private window. */
export const launchProfile = async (dir: string, args: readonly string[]): Promise<BrowserContext> =>
  await chromium.launchPersistentContext(dir, optionsOf(args, true))
