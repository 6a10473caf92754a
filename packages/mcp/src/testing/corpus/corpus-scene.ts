import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeProvider, openFakeProvider } from '@svc/conformance/testing/fake-provider'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
  testManifest,
} from '@svc/conformance/testing/host'
import { serverModel } from '@svc/host'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { Absent } from './installed.ts'

/** A row of the corpus as a plugin of a host, behind walls. */
export interface CorpusScene {
  /** A folder of the test. */
  readonly work: string
  readonly host: TestHost
  /** A window of an app that declares the plugin. */
  readonly window: TestWindow
  /** The server of the model that sessions have; it sees images. */
  readonly provider: FakeProvider
  /** A window of another app of the user, which declares the plugin too. */
  strangeWindow(): Promise<TestWindow>
  /** Calls a tool of the plugin, in that window or another. */
  invoke(method: string, args: object, more?: Invoke): ReturnType<TestWindow['call']>
}

/** In which window a call is made, and how long it may take. */
export interface Invoke {
  readonly window?: TestWindow
  readonly timeoutMs?: number
}

type Plugin = Omit<NonNullable<TestHostOptions['plugins']>[number], 'slug'>

interface Opened {
  readonly work: string
  readonly provider: FakeProvider
  readonly host: TestHost
  readonly window: TestWindow
}

/** A host of these options makes a runner of its own, with walls, and closes it. */
const ownRunner = { runner: undefined } as unknown as TestHostOptions
const manifest = { required_plugs: ['server'], host_api: { agent: { session: { auto: true } } } }
/** Of an install, a build or a start on a busy machine. */
const PATIENT_MS = 180_000
/** Of a call, with the start of its process. */
const CALL_MS = 30_000

/**
 * Opens the scene before the tests of a suite, and closes it after them. `prepare` fills the folder and says how the
 * plugin is configured; where it throws an `Absent`, the tests are skipped with its reason.
 */
export function corpusScene(prepare: (work: string) => Promise<Plugin>): CorpusScene {
  const at: { -readonly [Key in keyof Opened]?: Opened[Key] } & { absent?: string } = {}
  const have = <Key extends keyof Opened>(key: Key) => {
    const value = at[key]
    if (value === undefined) throw new Error('the scene is not open')
    return value
  }
  beforeAll(async () => {
    at.work = mkdtempSync(join(tmpdir(), 'svc-corpus-'))
    at.provider = await openFakeProvider()
    try {
      const plugin = await prepare(at.work)
      at.host = await openTestHost({
        ...ownRunner,
        approvals: 'none',
        plugins: [{ slug: 'server', ...plugin }],
        manifest,
        models: {
          default: { model: serverModel({ baseURL: at.provider.url, model: 'm' }), vision: true },
        },
      })
    } catch (error) {
      if (!(error instanceof Absent)) throw error
      at.absent = error.message
      return
    }
    await at.host.host.plugins.ready()
    at.window = await at.host.openWindow()
  }, PATIENT_MS)
  beforeEach(({ skip }) => skip(at.absent !== undefined, at.absent))
  afterAll(async () => {
    await at.host?.close()
    await at.provider?.close()
    rmSync(have('work'), { recursive: true, force: true })
  })
  return {
    get work() {
      return have('work')
    },
    get host() {
      return have('host')
    },
    get provider() {
      return have('provider')
    },
    async strangeWindow() {
      const { host, openWindow } = have('host')
      const { app_id } = await host.apps.register('ada', { slug: 'strange', name: 'Strange' })
      const files = new Map([['index.html', Buffer.from('<p>')]])
      const { version } = await host.apps.pushDraft('ada', app_id, {
        manifest: testManifest(manifest),
        files,
      })
      await host.apps.install('ada', { app_id, version })
      return openWindow(undefined, undefined, undefined, app_id)
    },
    get window() {
      return have('window')
    },
    invoke: (method, args, { window = have('window'), timeoutMs = CALL_MS } = {}) =>
      window.call('tools', 'invoke', { tool_id: 'server', method, args, timeoutMs }),
  }
}
