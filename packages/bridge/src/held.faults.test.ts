import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atPort } from '@svc/conformance/testing/host'
import { openTrafficHost } from '@svc/conformance/testing/job-traffic'
import { slackMs } from '@svc/conformance/testing/processes'
import { verifies } from '@svc/conformance/verifies'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from './clock.ts'
import { createEventStream } from './event-stream.ts'

/** A front that gives each answer on as a whole once it is there to its end, as caches and compressors do. */
async function openHolding(port: number) {
  const front = createServer((req, res) => {
    const leaving = new AbortController()
    res.on('close', () => leaving.abort())
    const headers = {
      cookie: String(req.headers.cookie),
      'last-event-id': String(req.headers['last-event-id'] ?? ''),
    }
    fetch(`http://127.0.0.1:${port}${req.url}`, { headers, signal: leaving.signal })
      .then(async (answer) => {
        res.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) })
        res.flushHeaders()
        res.end(await answer.text())
      })
      .catch(() => res.destroy())
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  return { front, port: (front.address() as AddressInfo).port }
}

verifies(
  'bridge.held',
  'each event comes within 2 s through a front that holds answers to their end',
  async () => {
    const testHost = await openTrafficHost()
    onTestFinished(() => testHost.close())
    const { port } = await testHost.host.listen(0)
    const holding = await openHolding(port)
    const { cookie, windowUuid } = testHost.window
    const states: string[] = []
    const told: string[] = []
    let lastMs = 0
    const events = createEventStream({
      url: `http://127.0.0.1:${holding.port}/api/v1/svc-apps/runtime/events`,
      jobs: true,
      open: (url, init) =>
        fetch(url, {
          ...init,
          headers: { ...init.headers, cookie: atPort(cookie, new URL(`http://127.0.0.1:${port}`)) },
        }),
      clock: systemClock,
      random: Math.random,
      onEvent: (text) => {
        told.push(text)
        lastMs = performance.now()
      },
      onCalls: () => undefined,
      onReset: () => void states.push('reset'),
      onLost: (isSilent) => void states.push(isSilent ? 'silent' : 'lost'),
      onBack: () => void states.push('back'),
      onRefused: (status) => void states.push(String(status)),
      onForeign: ({ status }) => void states.push(`foreign ${status}`),
    })
    events.watch([windowUuid])
    await expect.poll(() => states, { timeout: 20_000 }).toContain('back')
    const traffic = testHost.startTraffic()
    await expect.poll(() => told.length, { timeout: 20_000 }).toBeGreaterThan(20)
    await traffic.end()
    const endMs = performance.now()
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(traffic.written.length)
    expect(told).toEqual(traffic.written)
    expect(lastMs - endMs).toBeLessThan(2_000 + (await slackMs()))
    expect(states).toEqual(['silent', 'back', 'reset'])
    events.close()
    holding.front.close()
  },
)
