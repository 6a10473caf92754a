import { beforeEach, describe, expect, it } from 'vitest'
import { jobShells } from './testing/job-shell.ts'

// The rules of both panels are those of packages/shell/src/panels/*.dom.test.ts; here they are with a host.
const shell = jobShells()

describe('the panel of jobs', () => {
  const panel = () => shell().page.getByRole('complementary', { name: 'Jobs' })
  const bar = () => panel().getByRole('progressbar', { name: 'Progress of walk of Walks (by hand)' })
  const seen = (text: string) => panel().getByText(text).first().waitFor()
  beforeEach(() => shell().page.getByRole('button', { name: 'Jobs' }).click())

  it('goes on without a window of the app', async () => {
    const { app, page, press } = shell()
    await press('walk')
    await bar().waitFor()
    await page.getByRole('button', { name: 'Close Walks' }).click()
    await page.getByText('Nothing is open').waitFor()
    app.walkTo(5)
    await seen('5 of 10')
  })

  it('leaves no bar of a host that is gone, and forgets what its successor never knew', async () => {
    const { app, end, press } = shell()
    await press('walk')
    app.walkTo(2)
    await seen('2 of 10')
    const serveAgain = await end()
    await seen('Last update at')
    expect(await bar().count()).toBe(0)
    await serveAgain()
    await seen('No job yet')
  })
})

describe('the panel of sessions', () => {
  /** Sooner than the panel asks by itself: who sees a change within it has been told. */
  const TOLD_MS = 5_000
  const panel = () => shell().page.getByRole('complementary', { name: 'Sessions' })
  const look = () => shell().page.getByRole('button', { name: 'Sessions', exact: true }).click()
  const talk = () => shell().press('talk')
  const seen = (text: string) => panel().getByText(text).first().waitFor({ timeout: TOLD_MS })

  it('asks the host nothing while it is shut', async () => {
    const { app, harness, page } = shell()
    await talk()
    await look()
    await seen('at work')
    await page.getByRole('button', { name: 'Close Sessions' }).click()
    await panel().waitFor({ state: 'detached' })
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/svc-apps/sessions') asked.push(request.url())
    })
    app.walkTo(10)
    await expect.poll(async () => (await harness.host.sessions.list('dev'))[0]?.active_runs).toBe(0)
    expect(asked).toEqual([])
  })

  it('says that a host is gone, and forgets what its successor never knew', async () => {
    const { end } = shell()
    await look()
    await talk()
    await seen('at work')
    const serveAgain = await end()
    await seen('Last update at')
    expect(await panel().locator('dl').count()).toBe(0)
    await serveAgain()
    await panel().getByText('No session is open').waitFor()
  })

  it('asks a host that failed again when the user wants it', async () => {
    const { page } = shell()
    await look()
    await seen('No session is open')
    // Shut, it keeps nothing; what its window brought to be read has been read, so nothing but the user asks again.
    await look()
    await page.route('**/api/v1/svc-apps/sessions?*', (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad</h1>' }),
    )
    await look()
    await seen('The sessions could not be loaded: the host could not be reached: it answered HTTP 502')
    await page.unrouteAll({ behavior: 'wait' })
    await panel().getByRole('button', { name: 'Try again' }).click()
    await seen('No session is open')
  })
})
