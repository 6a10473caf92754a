import { verifies } from '@svc/conformance/verifies'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { appsOf, insideOf, keyboardOf, tinyShells, windowOf } from './testing/tiny-shell.ts'

const shell = tinyShells()
let page: Page
let troubles: string[]

async function openTiny(height: number): Promise<void> {
  ;({ page, troubles } = await shell().open({ viewport: { width: 1_280, height } }))
  await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
}

async function boxOf(title: string) {
  const box = await windowOf(page, title).boundingBox()
  if (!box) throw new Error(`${title} is not to be seen`)
  return box
}

const barTop = async () => (await page.getByRole('navigation', { name: 'Windows' }).boundingBox())?.y ?? 0

verifies(
  'shell.reload',
  'keeps a window that had to be made smaller above the task bar, and as it was, over five reloads',
  async () => {
    await openTiny(400)
    const opened = await boxOf('Tiny')
    expect(opened.height).toBeLessThan(340)
    for (const _ of Array(5)) {
      await page.reload()
      await insideOf(page, 'Tiny').getByText('Hello').waitFor()
      expect(await boxOf('Tiny')).toEqual(opened)
      expect(opened.y + opened.height).toBeLessThanOrEqual(await barTop())
    }
    expect(troubles).toEqual([])
  },
)

verifies('shell.reload', 'keeps a window inside that was opened on a larger screen', async () => {
  await openTiny(800)
  await page.setViewportSize({ width: 1_280, height: 380 })
  await page.reload()
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
  const { y, height } = await boxOf('Tiny')
  expect(y + height).toBeLessThanOrEqual(await barTop())
})

verifies(
  'shell.reload.focus',
  'gives the keyboard to nothing after a reload, and shows no ring',
  async () => {
    await openTiny(800)
    await page.reload()
    await insideOf(page, 'Tiny').getByText('Hello').waitFor()
    expect(await page.evaluate(`document.activeElement === document.body`)).toBe(true)
    expect(await page.locator(':focus-visible').count()).toBe(0)
  },
)

verifies(
  'shell.first_visit',
  'has nothing to complain of on a first visit, and gives the keyboard to the apps after the sign-in',
  async () => {
    ;({ page, troubles } = await shell().open())
    await expect.poll(() => keyboardOf(page)).toMatch(/Tiny/)
    expect(troubles).toEqual([])
  },
)

it('maximises a window by its button, a double click and a key, and restores it, also over a reload', async () => {
  await openTiny(800)
  const opened = await boxOf('Tiny')
  const largest = { width: 600, height: 480 }
  await page.getByRole('button', { name: 'Maximise Tiny' }).click()
  expect(await boxOf('Tiny')).toMatchObject(largest)
  await page.reload()
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
  expect(await boxOf('Tiny')).toMatchObject(largest)
  await page.getByRole('button', { name: 'Restore Tiny' }).click()
  expect(await boxOf('Tiny')).toEqual(opened)

  const title = windowOf(page, 'Tiny').getByRole('button', { name: 'Tiny', exact: true })
  await title.dblclick()
  expect(await boxOf('Tiny')).toMatchObject(largest)
  await page.keyboard.press('Alt+m')
  expect(await boxOf('Tiny')).toEqual(opened)
})

it('shows a window whose document takes long, with words, once it has taken 8 s', async () => {
  ;({ page } = await shell().open())
  const held: (() => void)[] = []
  await page.route(/bundles.*index\.html/, (route) => {
    held.push(() => void route.continue())
  })
  await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
  const tiny = windowOf(page, 'Tiny')
  const seen = () => tiny.evaluate((element) => getComputedStyle(element).opacity)
  expect(await seen()).toBe('0')
  await expect.poll(seen, { timeout: 30_000 }).toBe('1')
  await tiny.getByText('Tiny takes long to load.').waitFor()
  for (const go of held) go()
  await insideOf(page, 'Tiny').getByText('Hello').waitFor()
  await expect.poll(() => tiny.getByText('takes long').count()).toBe(0)
})

verifies(
  ['wall.frame.unresponsive', 'shell.own_sites'],
  'says that an app in an endless loop does not respond, ends it, and opens it again',
  async () => {
    await openTiny(800)
    const frame = page.frames().at(-1)
    expect(frame?.url()).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/api\/v1\/svc-apps\/bundles\//)
    await frame?.evaluate('void setTimeout(() => { for (;;); })')
    await windowOf(page, 'Tiny').getByText('Tiny does not respond.').waitFor()
    await page.getByRole('button', { name: 'End Tiny' }).click()
    await windowOf(page, 'Tiny').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open again' }).click()
    await insideOf(page, 'Tiny').getByText('Hello').waitFor()
    expect(troubles).toEqual([])
  },
)
