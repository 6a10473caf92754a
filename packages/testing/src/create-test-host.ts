import type { Grants, HostLimits, ManifestInput } from '@svc/contract'
import { createHost } from '@svc/host'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { installApp } from './install-app.ts'
import { openNetwork } from './network/network.ts'
import { openActivity } from './time/activity.ts'
import { openClocks, type TestClock } from './time/test-clock.ts'
import { openWindows, type TestWindow, type WindowOptions } from './windows/windows.ts'

/** What `createTestHost` takes. */
export interface TestHostOptions {
  /** The manifest of the app, as `public/manifest.json` has it. */
  readonly manifest: ManifestInput
  /** What the user granted the app at its install. Default: nothing. */
  readonly grants?: Grants
  /** Limits that differ from those of production: those of `hostLimits`. */
  readonly limits?: Partial<HostLimits>
  /** The id of the user. Default: `ada`. */
  readonly user?: string
}

/** The production host in memory, with an app that its user has installed. */
export interface TestHost {
  /** The clock of host, bridge, SDK and tools. */
  readonly clock: TestClock
  /** Opens a window of the app on a page without a browser. */
  openWindow(options?: WindowOptions): Promise<TestWindow>
  /** Closes the page, the host and all that is open. Twice is harmless. */
  close(): Promise<void>
}

/** 2026-01-01, the time at which the clock of each test begins. */
const START = Date.UTC(2026, 0, 1)

/** The secret of tokens that live as long as a test. */
const SECRET = 'the secret of a host that lives as long as its test'

export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const { user = 'ada' } = options
  const activity = openActivity()
  const clocks = openClocks(START, activity)
  const store = memoryStore()
  const bus = memoryBus({ clock: clocks.host })
  const blobs = memoryBlobs()
  const host = createHost({
    harness: true,
    storage: 'persistent',
    authenticate: async () => ({ id: user }),
    store,
    bus,
    blobs,
    secret: SECRET,
    clock: clocks.host,
    runner: null,
    models: null,
    logger: pino({ level: 'silent' }),
    limits: { ANSWERS_GATHER_MS: 0, EVENT_GATHER_TURNS: 0, ...options.limits },
  })
  const appId = await installApp(host, user, options)
  const network = openNetwork({ clocks, activity, host: host.fetch })
  const windows = openWindows({ clocks, activity, network, appId, onError: console.error })
  return {
    clock: clocks.test,
    openWindow: windows.open,
    async close() {
      windows.close()
      await host.close()
      await Promise.all([store.close(), bus.close(), blobs.close()])
    },
  }
}
