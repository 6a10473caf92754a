import { beforeEach, expect, it } from 'vitest'
import { axeInBoth } from './testing/axe.ts'
import { jobShells } from './testing/job-shell.ts'

const shell = jobShells()
beforeEach(() => shell().page.getByRole('button', { name: 'Jobs' }).click())

const panel = () => shell().page.getByRole('complementary', { name: 'Jobs' })
const jobs = (name: 'Active' | 'Ended') => panel().getByRole('region', { name: `${name} jobs` })
const bar = () => panel().getByRole('progressbar', { name: 'Progress of walk of Walks (by hand)' })
const seen = (text: string) => panel().getByText(text).first().waitFor()

it('shows how far a job has come, over a reload of the page, and its result', async () => {
  const { app, page, press, troubles } = shell()
  await seen('No job yet')
  await press('walk')
  await bar().waitFor()
  app.walkTo(3)
  await seen('3 of 10')
  await page.getByRole('button', { name: 'Jobs, 1 active' }).waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Jobs, 1 active' }).click()
  await seen('3 of 10')
  app.walkTo(7)
  await expect.poll(() => bar().getAttribute('aria-valuenow')).toBe('70')
  await seen('at step 7')

  app.walkTo(10)
  await jobs('Ended').getByText('"walked": 10').waitFor()
  await seen('by hand')
  expect(await jobs('Active').count()).toBe(0)
  expect(troubles).toEqual([])
})

it('cancels a job with a reason by the keyboard alone', async () => {
  const { page, press } = shell()
  await press('walk')
  await bar().waitFor()
  // The panel gives the keyboard back to its button, whose next press leads past the windows into the list.
  await page.getByRole('button', { name: 'Close Jobs' }).focus()
  await page.keyboard.press('Enter')
  await panel().waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await panel().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('the wrong way')
  await page.keyboard.press('Escape')
  expect(await jobs('Active').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await jobs('Ended').getByText('the wrong way').waitFor()
  await jobs('Ended').getByText('cancelled').first().waitFor()
  await page.getByRole('status').getByText('walk of Walks (by hand) was cancelled').waitFor()
  expect(await page.evaluate(`document.activeElement.textContent`)).toBe('walk')
})

it('leaves axe nothing to find in light and in dark', async () => {
  const { app, page, press } = shell()
  await press('trip')
  await seen('tool_failed')
  await seen('the rope broke')
  await press('walk')
  app.walkTo(4)
  await seen('4 of 10')
  expect(await axeInBoth(page)).toEqual([])
  await panel().getByRole('button', { name: 'Cancel walk of Walks (by hand)' }).click()
  expect(await axeInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await axeInBoth(page)).toEqual([])
})
