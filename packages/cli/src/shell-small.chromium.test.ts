import { verifies } from '@svc/conformance/verifies'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { axeInBoth } from './testing/axe.ts'
import { appsOf, insideOf, tinyShells, windowOf } from './testing/tiny-shell.ts'

const viewport = { width: 390, height: 844 }
/** The smallest target for a finger, in CSS pixels. */
const TARGET = 44

const shell = tinyShells()
let page: Page
let troubles: string[]

beforeEach(async () => {
  ;({ page, troubles } = await shell().open({ viewport, hasTouch: true }))
})

const screens = () => page.getByRole('navigation', { name: 'Screens' })
const windows = () => page.getByRole('navigation', { name: 'Windows' })
const shown = () => page.locator('[data-window]:visible')

/** Controls that are seen and smaller than a finger, or beyond an edge of the screen. */
const tooSmallOrCut = () =>
  page.evaluate<string[]>(`[...document.querySelectorAll('button, summary, input, [role="menuitem"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => ({ name: one.getAttribute('aria-label') ?? one.textContent, box: one.getBoundingClientRect() }))
    .filter(({ box: { width, height, left, right } }) =>
      width < ${TARGET} || height < ${TARGET} || left < 0 || right > ${viewport.width})
    .map(({ name, box }) => name + ': ' + box.width + ' × ' + box.height + ' at ' + box.left)`)
const overflow = () =>
  page.evaluate<number>(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)

async function openTiny(name: RegExp, title: string): Promise<void> {
  await appsOf(page).getByRole('button', { name }).tap()
  await insideOf(page, title).getByText('Hello').waitFor()
}

verifies(
  ['shell.small', 'shell.small.targets'],
  'shows every app and every view by name, and cuts nothing',
  async () => {
    for (const name of ['Tiny', 'Second']) {
      const label = appsOf(page).getByText(name, { exact: true })
      const box = await label.boundingBox()
      expect(box?.width).toBeGreaterThan(20)
      const isCut = await label.evaluate((element) => element.scrollWidth > element.clientWidth + 1)
      expect(isCut).toBe(false)
    }
    expect(await tooSmallOrCut()).toEqual([])
    expect(await overflow()).toBe(0)
  },
)

verifies(
  ['shell.small', 'shell.small.targets'],
  'shows one window at a time over the whole screen, and switches by name without loading it again',
  async () => {
    const loads: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url())
    })
    await openTiny(/^Tiny/, 'Tiny')
    const box = await windowOf(page, 'Tiny').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 52, width: viewport.width })
    expect(box?.height).toBeGreaterThan(700)
    await screens().getByRole('button', { name: 'Apps' }).tap()
    expect(await shown().count()).toBe(0)
    await openTiny(/^Second/, 'Second')
    expect(await shown().count()).toBe(1)
    expect(await tooSmallOrCut()).toEqual([])
    expect(await overflow()).toBe(0)

    await screens().getByRole('button', { name: 'Windows (2)' }).tap()
    expect(await windows().getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('Tiny'),
      expect.stringContaining('Second'),
    ])
    expect(await tooSmallOrCut()).toEqual([])
    await windows().getByRole('button', { name: /^Tiny/ }).tap()
    await windowOf(page, 'Tiny').waitFor()
    expect(await shown().count()).toBe(1)

    await page.setViewportSize({ width: 1_280, height: 800 })
    await windowOf(page, 'Second').waitFor()
    expect((await windowOf(page, 'Tiny').boundingBox())?.width).toBe(420)
    expect(loads).toHaveLength(2)
    expect(troubles).toEqual([])
  },
)

it('closes windows from the list, and shows the apps when none is left', async () => {
  await openTiny(/^Tiny/, 'Tiny')
  await screens().getByRole('button', { name: 'Windows (1)' }).tap()
  await windows().getByRole('button', { name: 'Close Tiny' }).tap()
  await windows().getByText('No window is open.').waitFor()
  await screens().getByRole('button', { name: 'Windows (0)' }).tap()
  await appsOf(page).waitFor()
})

it('leaves axe nothing to find in light and in dark', async () => {
  expect(await axeInBoth(page)).toEqual([])
  await openTiny(/^Tiny/, 'Tiny')
  expect(await axeInBoth(page)).toEqual([])
  await screens().getByRole('button', { name: 'Windows (1)' }).tap()
  expect(await axeInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: /^Manage/ }).waitFor()
  expect(await axeInBoth(page)).toEqual([])
  expect(await tooSmallOrCut()).toEqual([])
})
