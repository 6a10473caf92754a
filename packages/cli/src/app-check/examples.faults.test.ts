import { globSync } from 'node:fs'
import path from 'node:path'
import { someRows } from '@svc/conformance/testing/some-rows'
import { manifestSchema } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadApp } from '../app/load-app.ts'
import { readStory } from './app-story.ts'
import { launchBrowser } from './browser.ts'
import { appChecks, checkApp } from './check-app.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const apps = globSync('examples/*/public/manifest.json', { cwd: root }).map((file) => file.split(path.sep)[1])

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser(import.meta.dirname, { headed: false })
})
afterAll(() => browser.close())

it('finds the examples', () => {
  expect(apps.length).toBeGreaterThanOrEqual(6)
})

it.concurrent.each(someRows(apps, 1))('%s survives what every app should', async (name = '') => {
  const { project, bundle } = await loadApp(path.join(root, 'examples', name), () => {})
  const manifest = manifestSchema.parse('value' in bundle.manifest ? bundle.manifest.value : null)
  const story = await readStory(project.dir)
  const findings = await checkApp({ project, manifest, story, browser })
  expect(findings.map(({ check, verdict }) => [check.id, verdict])).toEqual(
    appChecks.map(({ id }) => [id, expect.objectContaining({ kind: 'held' })]),
  )
  const [keyboard] = findings.filter(({ check }) => check.id === 'app.keyboard')
  expect(keyboard?.verdict).toMatchObject({ note: expect.stringMatching(/^[1-9]\d* controls? by Tab/) })
})
