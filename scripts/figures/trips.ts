import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRawHttp } from '../../packages/conformance/src/testing/raw-http.ts'
import { openToolHost, type ToolHost } from '../../packages/conformance/src/testing/tool-host.ts'
import { limits } from '../../packages/contract/src/index.ts'
import { userJournal } from '../../packages/host/src/events/events.ts'
import { followItem } from '../../packages/host/src/events/item.ts'
import { silent } from '../../packages/host/src/testing/event-page.ts'
import { openFrameWriter } from '../../packages/host/src/work/runs/frame-writer.ts'
import { systemClock } from '../../packages/node/src/clock.ts'
import { type Bus, memoryBus } from '../../packages/state/src/index.ts'

/**
 * How many files of the host a call goes through, or a frame of a run from its writing to the socket of a page: those
 * of which a function runs, once everything is warm.
 */
export interface Trip {
  readonly trip: string
  readonly 'files of the host': number
  readonly names: string
}

const HOST = 'packages/host/src/'
const SECRET = 's'.repeat(32)
const USER = 'ada'
const STREAM = 'strm_trip'

/** Follows calls through a host in this process, by the engine's own count of the functions that ran. */
export async function measureTrips(): Promise<Trip[]> {
  const profiler = new Session()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const bus = memoryBus({ clock: systemClock })
  const host = await openToolHost({ bus, secret: SECRET })
  const frames = await openFrames(host, bus)
  const trips: Readonly<Record<string, () => Promise<unknown>>> = {
    'tools.invoke': () => host.invoke('echo'),
    'storage.set': () => host.window.call('storage', 'set', { key: 'a', value: 1 }),
    'agent.session frame': frames.pass,
  }
  try {
    const measured: Trip[] = []
    for (const [trip, call] of Object.entries(trips)) {
      // Twice to warm it up: caches are filled, processes stand ready.
      for (let times = 0; times < 2; times++) await call()
      await profiler.post('Profiler.takePreciseCoverage')
      await call()
      const { result } = await profiler.post('Profiler.takePreciseCoverage')
      const files = result
        .filter(
          ({ url, functions }) =>
            url.startsWith('file:') && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
        )
        .map(({ url }) => path.relative('.', fileURLToPath(url)))
        .filter((file) => file.startsWith(HOST))
        .map((file) => file.slice(HOST.length))
        .sort()
      measured.push({ trip, 'files of the host': files.length, names: files.join(' ') })
    }
    return measured
  } finally {
    frames.close()
    await host.close()
    profiler.disconnect()
  }
}

/** Has a page follow a stream over `node:http`; `pass` writes a frame and waits until the page has it. */
async function openFrames({ host, window }: ToolHost, bus: Bus) {
  const { port } = await host.listen(0)
  const page = openRawHttp(port)
  const { windowUuid, cookie } = window
  const url = `/api/v1/svc-apps/runtime/events?windows=${windowUuid}`
  page.write(`GET ${url} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`)
  await page.until(/event: cursor\n.*\n.*\n\n/)
  const follow = followItem({ windowUuid, streamId: STREAM, after: 0 })
  const { tail } = await bus.journal.read(userJournal(USER), 0, { limit: 0 })
  await bus.journal.append(userJournal(USER), tail + 1, [follow])
  const events = { lost() {}, full() {} }
  const writer = openFrameWriter({ bus, clock: systemClock, limits, log: silent }, STREAM, events)
  let count = 0
  return {
    async pass() {
      count += 1
      writer.write(`{"event":"sse","count":${count}}`)
      await page.until(new RegExp(`"count":${count}\\b`))
    },
    close() {
      writer.close()
      page.end()
    },
  }
}
