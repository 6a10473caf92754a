import { rounds } from '@svc/conformance/rounds'
import { openRunTraffic, type RunTraffic } from '@svc/conformance/testing/run-traffic'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { limits, type WindowEvent } from '@svc/contract'
import { afterEach, expect } from 'vitest'
import { systemClock } from './clock.ts'
import { createEventStream } from './event-stream.ts'
import { brokenFetch } from './testing/broken-fetch.ts'

const CUTS = rounds(300, 60)
const SESSIONS = 6
let traffic: RunTraffic
afterEach(() => traffic.testHost.close())

verifies(
  ['design.stream.resume', 'event.rpc_stream'],
  `${CUTS} cuts in the middle of answers: the reader of the page tells each frame of many runs once, and in order`,
  async () => {
    const random = seeded(5)
    traffic = await openRunTraffic(random, { EVENT_RETRY_MS: 1 })
    const { testHost, window, written } = traffic
    const { port } = await testHost.host.listen(0)
    const told = new Map<string, number[]>()
    const ended = new Set<string>()
    const states: string[] = []
    const { network, fetch } = brokenFetch(window.cookie, random)
    const events = createEventStream({
      url: `http://127.0.0.1:${port}/api/v1/svc-apps/runtime/events`,
      jobs: false,
      open: fetch,
      clock: systemClock,
      random,
      onEvent(text) {
        const frame = JSON.parse(text) as WindowEvent<'rpc.stream'>
        events.passed(frame)
        const seqs = told.get(frame.stream_id) ?? []
        told.set(frame.stream_id, seqs)
        seqs.push(frame.seq)
        if (frame.done) ended.add(frame.stream_id)
      },
      onCalls: () => undefined,
      onReset: () => void states.push('reset'),
      onLost: () => void states.push('lost'),
      onBack: () => void states.push('back'),
      onRefused: (status) => void states.push(String(status)),
      onForeign: ({ status }) => void states.push(`foreign ${status}`),
    })
    const release = await events.hold()
    events.watch([window.windowUuid])
    release()

    await traffic.go(SESSIONS, {
      isEnough: () => network.cuts >= CUTS,
      isBehind: () => network.cuts < CUTS && written.size - ended.size >= limits.EVENT_STREAMS_MAX / 2,
    })
    network.mended = true
    const count = (frames: ReadonlyMap<string, readonly number[]>) => [...frames.values()].flat().length
    await expect.poll(() => count(told), { timeout: 10_000 }).toBeGreaterThanOrEqual(count(written))
    expect(told).toEqual(written)
    expect(states).toEqual([])
    events.close()
  },
)
