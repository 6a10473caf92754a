import { readFileSync } from 'node:fs'
import path from 'node:path'
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { verifies } from '@svc/conformance/verifies'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await sharedChromium()
  page = await browser.newPage()
})
afterAll(() => closePages(browser))

const sheet = readFileSync(path.join(import.meta.dirname, 'theme.css'), 'utf8')
/** The app's rules come first and are as weak as a rule can be: only the layer makes them the stronger ones. */
const documentOf = (theme: string, rules: string) =>
  `<!doctype html><html lang="en" data-theme="${theme}"><style>:where(button) { padding: 3px } ${rules} ${sheet}</style>
  <button class="primary">Go</button><p hidden style="display: block">Gone</p>`
const read = (selector: string, name: 'padding' | 'color' | 'backgroundColor' | 'display') =>
  page.locator(selector).evaluate((element, property) => getComputedStyle(element)[property], name)

verifies.each(['theme.layer', 'theme.defaults'])([
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(0, 0, 0)'],
])('an app in the %s has the defaults, and is stronger than they are', async (theme, paper) => {
  await page.setContent(documentOf(theme, ''))
  const before = await read('html', 'backgroundColor')
  expect(await read('button', 'padding')).toBe('3px')
  expect(await read('p', 'display')).toBe('none')
  await page.setContent(documentOf(theme, ':root { --color-background-primary: light-dark(#fff, #000) }'))
  expect(await read('html', 'backgroundColor')).toBe(paper)
  expect(before).not.toBe(paper)
})
