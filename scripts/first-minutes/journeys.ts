import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { TemplateKind } from '../../packages/create-svc/src/index.ts'
import {
  freePort,
  type ProjectPlace,
  type Running,
  runNpm,
  runScript,
  startNpm,
} from '../testing/project-run.ts'
import { storyOf } from '../testing/template-stories.ts'

/** What a new user does, from an empty folder until something is seen. */
export interface Journey {
  readonly name: string
  /** How long it may take, in milliseconds; a peer has no limit. */
  readonly limitMs?: number
  /** What the user types. */
  readonly commands: readonly string[]
  /** Files that the user has to write or change. */
  readonly filesTouched: number
  /** Does it in an empty folder. */
  run(place: ProjectPlace, browser: Browser): Promise<void>
}

const INSTALL = ['install', '--no-audit', '--no-fund']

/** Creates `my-app` with a package for `npm create`, and installs what it needs. */
async function createAndInstall(place: ProjectPlace, ...words: readonly string[]): Promise<ProjectPlace> {
  await runNpm(place, 'create', '--yes', ...words)
  const project = { ...place, cwd: path.join(place.cwd, 'my-app') }
  await runNpm(project, ...INSTALL)
  return project
}

/** Starts a project, and waits until a page shows what was wanted. */
async function seen(
  browser: Browser,
  start: () => Promise<Running>,
  tell: (page: Page) => Promise<unknown>,
): Promise<void> {
  const running = await start()
  try {
    const page = await browser.newPage()
    await page.goto(running.found)
    await tell(page)
    await page.close()
  } finally {
    await running.stop()
  }
}

function ours(kind: TemplateKind, template: string, limitMs: number): Journey {
  const story = storyOf(template, kind)
  return {
    name: template,
    limitMs,
    commands: [`npm create svc my-app -- --template ${template}`, 'cd my-app', 'npm install', 'npm run dev'],
    filesTouched: 0,
    async run(place, browser) {
      const project = await createAndInstall(place, 'svc', 'my-app', '--', '--template', template)
      await seen(browser, () => story.start(project), story.tell)
    },
  }
}

const peer: Journey = {
  name: 'create-vite, vanilla-ts',
  commands: ['npm create vite my-app -- --template vanilla-ts', 'cd my-app', 'npm install', 'npm run dev'],
  filesTouched: 0,
  async run(place, browser) {
    const words = ['vite', 'my-app', '--', '--template', 'vanilla-ts', '--no-interactive']
    const project = await createAndInstall(place, ...words)
    const colourless = { ...project, env: { ...project.env, NO_COLOR: '1' } }
    const options = ['--', '--port', await freePort(), '--strictPort']
    const start = () => startNpm(colourless, /(http:\/\/localhost:\d+\/)/, 'run', 'dev', ...options)
    await seen(browser, start, (page) => page.locator('#app h1').waitFor())
  },
}

const plugin: Journey = {
  name: 'plugin-node',
  limitMs: 30_000,
  commands: ['npm create svc my-app -- --template plugin-node', 'cd my-app', 'npm install', 'npm run call'],
  filesTouched: 0,
  async run(place) {
    const project = await createAndInstall(place, 'svc', 'my-app', '--', '--template', 'plugin-node')
    const printed = await runScript(project, 'call')
    if (!printed.includes('"same"'))
      throw new Error(`the plugin did not answer with what is the same: ${printed}`)
  },
}

/** The peer first, which the others are compared with. */
export const journeys: readonly Journey[] = [
  peer,
  ours('app', 'app-vanilla', 25_000),
  ours('page', 'page-plain', 60_000),
  plugin,
]

/** Does a journey as somebody whose home and cache are empty; returns how long it took, in milliseconds. */
export async function timed(
  journey: Journey,
  env: NodeJS.ProcessEnv,
  home: string,
  browser: Browser,
): Promise<number> {
  const cwd = path.join(home, 'work')
  mkdirSync(cwd, { recursive: true })
  const begin = performance.now()
  await journey.run({ cwd, env: { ...env, HOME: home, npm_config_cache: path.join(home, 'cache') } }, browser)
  return performance.now() - begin
}
