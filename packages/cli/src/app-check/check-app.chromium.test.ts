import { existsSync } from 'node:fs'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readProject } from '../project/project.ts'
import { runSvc } from '../testing/cli.ts'
import { type AppFault, makeFaultyApp } from '../testing/faulty-app.ts'
import { faultyTools, faultyTrail, readManifest, tryFault } from '../testing/try-fault.ts'
import type { AppStory } from './app-story.ts'
import { bounds } from './bounds.ts'
import { launchBrowser } from './browser.ts'
import { checkApp } from './check-app.ts'
import { walkByTab } from './tab-walk.ts'

/** How many listen to each signal that ends a command. */
const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal))

let before: readonly number[]
let browser: Browser
let app: Awaited<ReturnType<typeof makeFaultyApp>>
beforeAll(async () => {
  before = listeners()
  browser = await launchBrowser(import.meta.dirname, { headed: false })
  app = await makeFaultyApp()
})
afterAll(async () => {
  await browser.close()
  app.remove()
})

const check = (story: AppStory, only: readonly string[]) =>
  checkApp({
    project: readProject(app.dir),
    manifest: readManifest(app.dir),
    story: { tools: faultyTools, ...story },
    browser,
    only,
  })

it('reloads an app whose hello comes with its first calls, while one of the same kind is held', async () => {
  const saves = { ...faultyTrail, keys: ['button "Save"'], working: ['button "Save"'] }
  const early = await makeFaultyApp({ asksEarly: true })
  onTestFinished(early.remove)
  expect(await tryFault(browser, early, null, 'app.reload', saves)).toEqual({
    kind: 'held',
    note: 'a call was in flight when it was reloaded',
  })
})

it('uses each control of an app once, and names those that made calls', async () => {
  const [start] = await check({}, ['app.start'])
  expect(start?.verdict).toMatchObject({
    note: expect.stringMatching(/^\d+ ms; 3 controls used, button "Add", button "Save" made calls$/),
  })
})

verifies.each([
  'app.start',
  'app.reload',
  'app.denied',
  'app.errors',
  'app.host_gone',
  'app.slow',
  'app.close',
  'app.narrow',
  'app.dark',
  'app.keyboard',
])<[AppFault, string, string]>([
  ['rejects', 'app.start', 'nothing caught: nobody waits for this'],
  ['forgets', 'app.reload', 'after the reload it showed nothing'],
  ['trusts_start', 'app.denied', 'nothing caught: This app may not do that.'],
  ['trusts_calls', 'app.errors', 'nothing caught: A quota of this user or app is used up.'],
  ['gives_up', 'app.host_gone', 'when the host was back, button "Add" made no call that succeeded'],
  ['blank', 'app.slow', 'while the host had not answered its first calls it showed nothing'],
  ['stays', 'app.close', 'it kept its window open, and did not say why'],
  ['wide', 'app.narrow', 'p "It adds the numbers." ends at '],
  ['dim', 'app.dark', 'dark: '],
  ['div', 'app.keyboard', 'Tab does not reach: div "More"'],
])('finds an app that %s by %s', async (fault, id, problem) => {
  const verdict = await tryFault(browser, app, fault, id)
  const problems = verdict?.kind === 'broken' ? verdict.problems : []
  expect(problems).toContainEqual(expect.stringContaining(problem))
  expect(existsSync(problems.at(-1)?.replace('picture: ', '') ?? '')).toBe(true)
})

it('brings an app to work by the steps of its story, and says which failed', async () => {
  const steps: AppStory['steps'] = {
    'add them': ({ frame }) => frame.getByRole('button', { name: 'Add' }).click(),
    'press what is missing': ({ frame }) =>
      frame.getByRole('button', { name: 'Gone' }).click({ timeout: 100 }),
  }
  const [start, reload] = await check({ steps }, ['app.start', 'app.reload'])
  expect(start?.verdict).toMatchObject({
    problems: [expect.stringContaining('the step "press what is missing" failed: '), expect.anything()],
  })
  expect(reload?.verdict).toMatchObject({ note: 'a call was in flight when it was reloaded' })
})

it('leaves the others out where the browser has ended', async () => {
  const own = await launchBrowser(import.meta.dirname, { headed: false })
  const story = { tools: faultyTools, steps: { 'end the browser': () => own.close() } }
  const only = ['app.start', 'app.dark']
  const findings = await checkApp({
    project: readProject(app.dir),
    manifest: readManifest(app.dir),
    story,
    browser: own,
    only,
  })
  expect(findings.map(({ verdict }) => verdict)).toEqual([
    { kind: 'broken', problems: ['the browser has ended'], hint: expect.stringContaining('Run it again') },
    { kind: 'left_out', why: 'the browser has ended' },
  ])
})

it('leaves signals to the command', () => {
  expect(listeners()).toEqual(before)
})

it.each([
  [
    'says how many controls it did not come to',
    '<button>Add</button>'.repeat(bounds.TABS + 1),
    { problems: [], stops: bounds.TABS, untried: 1 },
  ],
  [
    'goes through the parts of a date and a time',
    '<input type="datetime-local"><button>Add</button>',
    { problems: [], stops: 2, untried: 0 },
  ],
])('Tab %s', async (_, html, walk) => {
  const page = await browser.newPage()
  await page.setContent(html)
  expect(await walkByTab({ frame: page.mainFrame(), page })).toEqual(walk)
  await page.close()
})

verifies(
  'app.report',
  'reports by requirement, and ends with 1 where one does not hold',
  async () => {
    const wide = await makeFaultyApp()
    const tools = '{ odd: { name: "odd", tools: [] } }'
    wide.put('svc.check.js', `export default { payload: { fault: 'wide' }, tools: ${tools} }`)
    const args = ['app', 'check', '.', '--only', 'app.narrow', '--pictures', 'pictures', '--json']
    const { code, out } = await runSvc(args, { cwd: wide.dir })
    const hasPicture = existsSync(path.join(wide.dir, 'pictures/app.narrow.png'))
    wide.remove()
    expect([code, hasPicture]).toEqual([1, true])
    expect(JSON.parse(out)).toEqual({
      ok: false,
      checks: [
        {
          id: 'app.narrow',
          name: 'fits into 320 pixels, and text of 200 %',
          verdict: 'broken',
          ms: expect.any(Number),
          problems: expect.arrayContaining([expect.stringContaining('320 pixels wide: p ')]),
          hint: expect.stringContaining('Let rows wrap'),
        },
      ],
    })
  },
  120_000,
)
