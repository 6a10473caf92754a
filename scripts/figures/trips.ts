import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openToolHost } from '../../packages/conformance/src/testing/tool-host.ts'

/** How many files of the host a call goes through: those of which a function runs, once everything is warm. */
export interface Trip {
  readonly trip: string
  readonly 'files of the host': number
  readonly names: string
}

const HOST = 'packages/host/src/'

/** Follows calls through a host in this process, by the engine's own count of the functions that ran. */
export async function measureTrips(): Promise<Trip[]> {
  const profiler = new Session()
  profiler.connect()
  await profiler.post('Profiler.enable')
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const host = await openToolHost()
  const trips: Readonly<Record<string, () => Promise<unknown>>> = {
    'tools.invoke': () => host.invoke('echo'),
    'storage.set': () => host.window.call('storage', 'set', { key: 'a', value: 1 }),
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
    await host.close()
    profiler.disconnect()
  }
}
