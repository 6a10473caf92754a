import { expect, it } from 'vitest'
import { axeInBoth } from './testing/axe.ts'
import { jobShells } from './testing/job-shell.ts'

/** Sooner than the panel asks by itself: who sees a change within it has been told. */
const TOLD_MS = 5_000

const shell = jobShells()

const panel = () => shell().page.getByRole('complementary', { name: 'Sessions' })
const sessions = (name: 'Active' | 'Ended') => panel().getByRole('region', { name: `${name} sessions` })
const look = () => shell().page.getByRole('button', { name: 'Sessions', exact: true }).click()
const talk = () => shell().press('talk')
const seen = (text: string) => panel().getByText(text).first().waitFor({ timeout: TOLD_MS })
const left = (name: string) => panel().locator('dl > div', { hasText: name }).locator('dd').textContent()

it('shows a session from its first run on, over a reload of the page, with what it has left', async () => {
  const { app, page, troubles } = shell()
  await look()
  await seen('No session is open')
  await talk()
  await seen('a talk')
  await seen('Walks · agent')
  await seen('1 run under way')
  expect([await left('Idle window'), await left('Lifetime')]).toEqual(['held open', expect.any(String)])
  await page.getByRole('status').getByText('a talk of Walks is at work').waitFor()

  await page.reload()
  await look()
  await seen('at work')
  app.walkTo(10)
  await seen('ready')
  await seen('0 runs under way')
  expect(await left('Idle window')).toMatch(/^(30|29) min$/)
  await expect.poll(() => left('Lifetime')).toBe('23 h 59 min')
  expect(troubles).toEqual([])
})

it('ends a session by the keyboard alone, and its run with it', async () => {
  const { harness, page } = shell()
  await talk()
  await page.getByRole('button', { name: 'Sessions', exact: true }).focus()
  await page.keyboard.press('Enter')
  await seen('at work')
  // From the list over the switch to the button.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await seen('Its 1 run under way will be cancelled.')
  await page.keyboard.press('Escape')
  expect(await sessions('Active').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await seen('No session is open')
  await page.getByRole('status').getByText('a talk of Walks has ended').waitFor()
  expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Sessions list')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await sessions('Ended').getByText('a talk').waitFor()
  const [session] = await harness.host.sessions.list('dev', { includeExpired: true })
  expect(session).toMatchObject({ state: 'revoked', active_runs: 0 })
})

it('leaves axe nothing to find in light and in dark', async () => {
  const { app, page } = shell()
  await look()
  await seen('No session is open')
  expect(await axeInBoth(page)).toEqual([])
  await talk()
  await seen('at work')
  await panel().getByRole('button', { name: 'End a talk of Walks' }).click()
  expect(await axeInBoth(page)).toEqual([])
  await panel().getByRole('button', { name: 'End the session' }).click()
  await panel().getByRole('switch', { name: 'Show ended sessions' }).click()
  await sessions('Ended').waitFor()
  await talk()
  app.walkTo(10)
  await seen('ready')
  expect(await axeInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 760 })
  expect(await axeInBoth(page)).toEqual([])
})
