import { expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'

it('says which program did not start', async () => {
  const before = process.env.SVC_CHROMIUM
  process.env.SVC_CHROMIUM = '/nowhere/chromium'
  const launched = launchBrowser(import.meta.dirname, { headed: false })
  await expect(launched).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringMatching(/^\/nowhere\/chromium did not start: /),
    hint: 'Install Chromium or Chrome, or set SVC_CHROMIUM to the path of one.',
  })
  if (before === undefined) delete process.env.SVC_CHROMIUM
  else process.env.SVC_CHROMIUM = before
})
