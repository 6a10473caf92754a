import { rounds } from '@svc/conformance/rounds'
import { openTrafficHost, storyOf, type ToolJob } from '@svc/conformance/testing/job-traffic'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'
import { systemClock } from './clock.ts'
import { createEventStream } from './event-stream.ts'
import { brokenFetch } from './testing/broken-fetch.ts'

const CUTS = rounds(300, 60)
let testHost: Awaited<ReturnType<typeof openTrafficHost>>
afterEach(() => testHost.close())

verifies(
  ['design.events.resume', 'event.tool_job'],
  `${CUTS} cuts in the middle of answers: the reader of the page tells each event of jobs once, and in order`,
  async () => {
    const random = seeded(11)
    testHost = await openTrafficHost({ EVENT_RETRY_MS: 1 })
    const { port } = await testHost.host.listen(0)
    const { cookie, windowUuid } = testHost.window
    const told: string[] = []
    const states: string[] = []
    const { network, fetch } = brokenFetch(cookie, random)
    const events = createEventStream({
      url: `http://127.0.0.1:${port}/api/v1/svc-apps/runtime/events`,
      jobs: true,
      open: fetch,
      clock: systemClock,
      random,
      onEvent: (text) => void told.push(text),
      onCalls: () => undefined,
      onReset: () => void states.push('reset'),
      onLost: () => void states.push('lost'),
      onBack: () => void states.push('back'),
      onRefused: (status) => void states.push(String(status)),
      onForeign: ({ status }) => void states.push(`foreign ${status}`),
    })
    const release = await events.hold()
    events.watch([windowUuid])
    release()

    const traffic = testHost.startTraffic()
    await expect.poll(() => network.cuts, { timeout: 60_000 }).toBeGreaterThanOrEqual(CUTS)
    await traffic.end()
    network.mended = true
    await expect.poll(() => told.length, { timeout: 10_000 }).toBe(traffic.written.length)
    expect(told).toEqual(traffic.written)
    expect(states).toEqual([])
    const jobs = told.map((text) => JSON.parse(text) as ToolJob)
    for (const jobId of traffic.jobIds) {
      const snapshot = await traffic.read(jobId)
      const mine = jobs.filter(({ job_id, window_uuid }) => job_id === jobId && window_uuid === windowUuid)
      expect(mine.map(({ event, seq }) => `${event}:${seq}`)).toEqual(storyOf(snapshot))
    }
    events.close()
  },
)
