import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { axeFindings } from '../../packages/cli/src/testing/axe.ts'
import { launchChromium } from '../../packages/conformance/src/chromium.ts'
import { errorDocs } from '../../packages/contract/src/errors/error-docs.ts'
import { errors } from '../../packages/contract/src/index.ts'
import { clientNotes } from '../reference/error-notes.ts'
import { run } from '../spawn.mjs'
import { siteVersion } from './build.ts'
import { deadLinks } from './built-links.ts'
import { serveFolder } from './serve-folder.ts'

/** Most of a minute on two cores; here two files run at a time. */
const BUILD_MS = 400_000
/** All that the first page loads, compressed. */
const FIRST_PAGE_BYTES_MAX = 150_000

let version: string
let out: string
let site: Awaited<ReturnType<typeof serveFolder>>
let browser: Browser

beforeAll(async () => {
  version = await siteVersion()
  out = mkdtempSync(path.join(tmpdir(), 'svc-docs-'))
  const args = ['--out', out, '--repository', 'https://code.example/svc']
  const env = { ...process.env, NODE_ENV: undefined }
  const { code, output } = await run('node', ['scripts/docs/main.ts', ...args], { capture: true, env })
  expect(code, output).toBe(0)
  site = await serveFolder(out, 0)
  browser = await launchChromium()
}, BUILD_MS)

afterAll(async () => {
  await browser.close()
  await site.close()
  rmSync(out, { recursive: true })
})

it('has a page for what is not there, under a version and beside them', async () => {
  for (const place of [`/${version}/guides/none.html`, '/none']) {
    const response = await fetch(site.url + place)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<title>404 | svc</title>')
  }
})

it('has no link that leads nowhere', () => {
  expect(deadLinks(path.join(out, version), `/${version}/`)).toEqual([])
})

it('has a section for each code, where errors lead', () => {
  const text = readFileSync(path.join(out, version, 'reference/errors.html'), 'utf8')
  const anchors = [...Object.keys(errors), ...Object.keys(clientNotes)].map(
    (code) => errorDocs(code).split('#')[1],
  )
  expect(anchors.filter((anchor) => !text.includes(`id="${anchor}"`))).toEqual([])
})

it.each([
  ['the first page', ''],
  ['a guide', 'guides/jobs.html'],
  ['a page of the tables', 'reference/methods.html'],
  ['the errors', 'reference/errors.html'],
  ['a package', 'api/bridge.html'],
  ['a ruling', 'decisions/0010-storage.html'],
  ['what a package has to say', 'packages/cli.html'],
])('axe finds nothing about %s, light, dark and on a telephone, and nothing is missing', async (_, place) => {
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 400],
  ] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
    const missing: string[] = []
    page.on('response', (response) => void (response.ok() || missing.push(response.url())))
    page.on('pageerror', (error) => missing.push(String(error)))
    await open(page, place)
    expect([await axeFindings(page), missing], `${colorScheme}, ${width}`).toEqual([[], []])
    await page.close()
  }
})

it('the first page is light', async () => {
  const page = await openPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await open(page, '')
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThanOrEqual(FIRST_PAGE_BYTES_MAX)
})

it('leads to the newest version, lists the versions, and finds words', async () => {
  const page = await openPage()
  await page.goto(site.url)
  await page.waitForURL(`${site.url}/${version}/`)
  const menu = page.getByRole('combobox', { name: 'Version' })
  expect(await menu.locator('option').allTextContents()).toEqual([version])
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill('precondition_failed')
  await page.locator('.results a.result').first().click()
  await page.waitForURL(/reference\/errors\.html#precondition_failed$/)
})

it('shows where a page is edited, and its dark side', async () => {
  const page = await openPage()
  await open(page, 'guides/jobs.html')
  const edit = page.getByRole('link', { name: 'Edit this page' })
  expect(await edit.getAttribute('href')).toBe('https://code.example/svc/edit/HEAD/docs/guides/jobs.md')
  await page.locator('.VPSwitchAppearance').first().click()
  expect(await page.locator('html').getAttribute('class')).toContain('dark')
})

async function openPage(): Promise<Page> {
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1_280, height: 900 } })
  onTestFinished(() => page.close())
  return page
}

/** Opens a page of the site, and waits until it has loaded what it needs. */
async function open(page: Page, place: string): Promise<void> {
  await page.goto(`${site.url}/${version}/${place}`, { waitUntil: 'networkidle' })
}
