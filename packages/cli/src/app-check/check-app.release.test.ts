import { existsSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { type AppFault, makeFaultyApp } from '../testing/faulty-app.ts'
import { faultyTools, readManifest, tryFault } from '../testing/try-fault.ts'
import { launchBrowser } from './browser.ts'
import { appChecks, checkApp } from './check-app.ts'

let browser: Browser
let app: Awaited<ReturnType<typeof makeFaultyApp>>
beforeAll(async () => {
  browser = await launchBrowser(import.meta.dirname, { headed: false })
  app = await makeFaultyApp()
})
afterAll(async () => {
  await browser.close()
  app.remove()
})

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
    expect(await tryFault(browser, app, null, id)).toMatchObject({
      kind: 'held',
      ...(note !== undefined && { note }),
    })
  },
)

verifies.each(['app.start', 'app.slow', 'app.narrow', 'app.dark', 'app.keyboard'])<
  [AppFault, string, string]
>([
  ['prints', 'app.start', 'on the console: it went wrong'],
  ['leaves', 'app.dark', 'it closed its window by itself'],
  ['closes', 'app.start', 'nothing caught: nobody waits for this'],
  ['loads', 'app.start', 'refused by its policy: '],
  ['hangs', 'app.slow', 'while a call was under way '],
  ['cuts', 'app.narrow', 'with text of 200 %: p "It adds the numbers." cuts off its text'],
  ['unseen', 'app.keyboard', 'the focus is not seen on: button "Add"'],
  ['trap', 'app.keyboard', 'Tab does not leave: input "name"'],
  ['unnamed', 'app.keyboard', 'for screen readers: '],
])('finds an app that %s by %s', async (fault, id, problem) => {
  const verdict = await tryFault(browser, app, fault, id)
  const problems = verdict?.kind === 'broken' ? verdict.problems : []
  expect(problems).toContainEqual(expect.stringContaining(problem))
  expect(existsSync(problems.at(-1)?.replace('picture: ', '') ?? '')).toBe(true)
})

it('tries nothing else on an app that does not say hello', async () => {
  const mute = await makeFaultyApp()
  mute.put('app.js', '')
  const project = readProject(mute.dir)
  const story = { tools: faultyTools }
  const manifest = readManifest(mute.dir)
  const [start, ...others] = await checkApp({ project, manifest, story, browser })
  mute.remove()
  expect(start?.verdict).toMatchObject({
    kind: 'broken',
    problems: [expect.stringContaining('it did not connect within 10 s')],
  })
  expect(others.every(({ verdict }) => verdict.kind === 'left_out')).toBe(true)
})
