import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { manifestSchema } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Verdict } from '../checks/check.ts'
import { readProject } from '../project/project.ts'
import { runSvc } from '../testing/cli.ts'
import { type AppFault, makeFaultyApp } from '../testing/faulty-app.ts'
import type { AppStory } from './app-story.ts'
import { loadAxe } from './axe.ts'
import { openBench } from './bench.ts'
import { bounds } from './bounds.ts'
import { launchBrowser } from './browser.ts'
import { appChecks, checkApp } from './check-app.ts'
import { openTools } from './plugins.ts'
import { walkByTab } from './tab-walk.ts'
import type { Trail } from './work.ts'

const tools = { odd: { add: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }) } }

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

const readManifest = (dir: string) =>
  manifestSchema.parse(JSON.parse(readFileSync(path.join(dir, 'manifest.json'), 'utf8')))

const check = (story: AppStory, only?: readonly string[], dir = app.dir) =>
  checkApp({
    project: readProject(dir),
    manifest: readManifest(dir),
    story: { tools, ...story },
    browser,
    only,
  })

/** Runs one check of an app with a fault; how an app is brought to work is known already. */
async function tryFault(
  fault: AppFault | null,
  id: string,
  { dir } = app,
  by = trail,
): Promise<Verdict | undefined> {
  const opened = await openTools(readProject(dir), tools, { signal: undefined, isolation: 'auto' })
  const story = { payload: { fault } }
  const axe = await loadAxe(import.meta.dirname)
  const bench = openBench({ browser, manifest: readManifest(dir), dir, story, tools: opened, axe })
  bench.trail = by
  const verdict = await appChecks.find((one) => one.id === id)?.run(bench)
  await bench.clear()
  await opened.close()
  return verdict
}

/** What the app without a fault is used by. */
const trail: Trail = {
  keys: ['text "Name"', 'button "Add"', 'button "Save"'],
  working: ['button "Add"', 'button "Save"'],
  succeeds: true,
  used: 3,
  startText: '',
  problems: [],
}

/** What those say that may have tried less than they should. */
const notes: Readonly<Record<string, string>> = {
  'app.reload': 'a call was in flight when it was reloaded',
  'app.slow': 'calls waited at its start and at work',
  'app.close': 'a call was in flight when it was closed',
  'app.keyboard': '3 controls by Tab',
}

it.each(appChecks.map(({ id }) => id))(
  'finds nothing wrong with an app that does all well by %s',
  async (id) => {
    const note = notes[id]
    expect(await tryFault(null, id)).toMatchObject({ kind: 'held', ...(note !== undefined && { note }) })
  },
)

it('reloads an app whose hello comes with its first calls, while one of the same kind is held', async () => {
  const saves: Trail = { ...trail, keys: ['button "Save"'], working: ['button "Save"'] }
  const early = await makeFaultyApp({ asksEarly: true })
  onTestFinished(early.remove)
  expect(await tryFault(null, 'app.reload', early, saves)).toEqual({
    kind: 'held',
    note: notes['app.reload'],
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
  ['prints', 'app.start', 'on the console: it went wrong'],
  ['leaves', 'app.dark', 'it closed its window by itself'],
  ['closes', 'app.start', 'nothing caught: nobody waits for this'],
  ['loads', 'app.start', 'refused by its policy: '],
  ['forgets', 'app.reload', 'after the reload it showed nothing'],
  ['trusts_start', 'app.denied', 'nothing caught: This app may not do that.'],
  ['trusts_calls', 'app.errors', 'nothing caught: A quota of this user or app is used up.'],
  ['gives_up', 'app.host_gone', 'when the host was back, button "Add" made no call that succeeded'],
  ['blank', 'app.slow', 'while the host had not answered its first calls it showed nothing'],
  ['hangs', 'app.slow', 'while a call was under way '],
  ['stays', 'app.close', 'it kept its window open, and did not say why'],
  ['wide', 'app.narrow', '320 pixels wide: p "It adds the numbers." ends at '],
  ['cuts', 'app.narrow', 'with text of 200 %: p "It adds the numbers." cuts off its text'],
  ['dim', 'app.dark', 'dark: '],
  ['div', 'app.keyboard', 'Tab does not reach: div "More"'],
  ['unseen', 'app.keyboard', 'the focus is not seen on: button "Add"'],
  ['trap', 'app.keyboard', 'Tab does not leave: input "name"'],
  ['unnamed', 'app.keyboard', 'for screen readers: '],
])('finds an app that %s by %s', async (fault, id, problem) => {
  const verdict = await tryFault(fault, id)
  const problems = verdict?.kind === 'broken' ? verdict.problems : []
  expect(problems).toContainEqual(expect.stringContaining(problem))
  expect(existsSync(problems.at(-1)?.replace('picture: ', '') ?? '')).toBe(true)
})

it('tries nothing else on an app that does not say hello', async () => {
  const mute = await makeFaultyApp()
  mute.put('app.js', '')
  const [start, ...others] = await check({}, undefined, mute.dir)
  mute.remove()
  expect(start?.verdict).toMatchObject({
    kind: 'broken',
    problems: [expect.stringContaining('it did not connect within 10 s')],
  })
  expect(others.every(({ verdict }) => verdict.kind === 'left_out')).toBe(true)
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
  const story = { tools, steps: { 'end the browser': () => own.close() } }
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
