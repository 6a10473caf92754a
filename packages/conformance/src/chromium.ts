import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser']
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

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

/** Where this machine keeps a Chromium: `SVC_CHROMIUM`, the usual places, then the PATH. */
export function findChromium(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)))
  const wanted = env.SVC_CHROMIUM
  return wanted ? wanted : [...known, ...onPath].find(runs)
}

function optionsOf(args: readonly string[]) {
  const executablePath = findChromium()
  if (!executablePath)
    throw new Error(
      'No Chromium found: install one (apt-get install chromium) or set SVC_CHROMIUM to its path.',
    )
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, args: [...quiet, ...asRoot, ...args] }
}

/**
 * Starts a headless Chromium; the caller closes it.
 *
 * @param args further command-line switches.
 * @throws when the machine has none, with the sentence that says how to get one.
 */
export const launchChromium = async (args: readonly string[] = []): Promise<Browser> =>
  await chromium.launch(optionsOf(args))

/** Starts one with a profile in a folder, as people use it: what it does early is not done in a private window. */
export const launchProfile = async (dir: string, args: readonly string[]): Promise<BrowserContext> =>
  await chromium.launchPersistentContext(dir, optionsOf(args))
