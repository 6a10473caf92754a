import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserType, LaunchOptions } from 'playwright-core'
import { failure } from '../terminal/failure.ts'
import { firstLineOf } from '../terminal/first-line.ts'
import { loadFirst } from './load.ts'

/** The packages of Playwright: each has what starts a browser. */
const PACKAGES = ['playwright-core', 'playwright', '@playwright/test']

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Browsers where their installers put them, as Playwright names them. */
const CHANNELS = ['chrome', 'msedge']

/** A signal is for the command: it ends the plugins too, and then closes the browser. Playwright would end the process. */
const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

const HINT = 'Install Chromium or Chrome, or set SVC_CHROMIUM to the path of one.'

/** What is started, by the order in which it is tried. */
function* candidates(chromium: BrowserType, headless: boolean): Generator<LaunchOptions> {
  const given = process.env.SVC_CHROMIUM
  if (given) return yield { executablePath: given }
  const shells = headless ? ['chromium-headless-shell'] : []
  for (const name of [...shells, ...PROGRAMS]) {
    const found = (process.env.PATH ?? '')
      .split(path.delimiter)
      .map((folder) => path.join(folder, name))
      .find(isProgram)
    if (found !== undefined) yield { executablePath: found }
  }
  if (isProgram(chromium.executablePath())) yield {}
  for (const channel of CHANNELS) yield { channel }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Starts the Chromium or Chrome of this machine; the caller closes it. Playwright is the one of the app's folder, or
 * that of svc. Errors: `config`.
 */
export async function launchBrowser(dir: string, { headed }: { readonly headed: boolean }): Promise<Browser> {
  const playwright = await loadFirst<{ readonly chromium: BrowserType }>(PACKAGES, dir)
  if (!playwright)
    throw failure(
      'config',
      'svc app check drives a browser with playwright-core, which is not installed',
      'npm install --save-dev playwright-core axe-core',
    )
  const { chromium } = playwright
  const args = [
    '--disable-background-networking',
    '--no-first-run',
    // Else Chromium without windows has the app in the process of the page, which then hangs with it.
    '--site-per-process',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  let why = 'no Chromium or Chrome was found'
  for (const candidate of candidates(chromium, !headed)) {
    try {
      return await chromium.launch({ headless: !headed, args, ...signals, ...candidate })
    } catch (error) {
      // A channel that is not installed says nothing more than that none was found.
      if (candidate.executablePath !== undefined)
        why = `${candidate.executablePath} did not start: ${firstLineOf(error)}`
    }
  }
  throw failure('config', why, HINT)
}
