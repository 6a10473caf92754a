import { openTestHost, type TestHost, type TestHostOptions, testManifest } from '@svc/conformance/test-host'
import { type FrozenClock, frozenClock } from '../clock-frozen.ts'

/** An answer of a call with its HTTP status. */
export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
}

/** Who calls: a user by its cookie, and an app, where they are not ada and hers. */
export interface Caller {
  readonly cookie?: string
  readonly appId?: string
}

/** A host with an app that has both submodes, on a frozen clock. */
export interface AgentHost extends TestHost {
  readonly clock: FrozenClock
  /** One call of `agent.session.{method}`. */
  call(method: string, args?: unknown, caller?: Caller): Promise<Answered>
  /** Makes a session; answers its uuid. */
  create(args?: object, caller?: Caller): Promise<string>
}

/** The manifest of an app with these submodes. */
export const withSubmodes = (session: object) =>
  // The type of what an author writes knows lists of names alone under `host_api`.
  ({ host_api: { agent: { session } } }) as unknown as NonNullable<TestHostOptions['manifest']>

const everySubmode = withSubmodes({ auto: true, fixed: { client_ids: [] } })

/** What sweeps does so once a minute, so that a day on the frozen clock is short. */
const slow = { REAPER_INTERVAL_MS: 60_000, HOST_BEAT_MS: 60_000, HOST_DEAD_MS: 180_000 }

/** Opens a host. Close it. */
export async function openAgentHost(options: TestHostOptions = {}): Promise<AgentHost> {
  const clock = frozenClock()
  const house = await openTestHost({
    ...{ clock, manifest: everySubmode, plugins: [{ slug: 'weather', command: ['weather'] }] },
    ...options,
    limits: { ...slow, ...options.limits },
  })
  const windows = new Map<string, { readonly until: number; readonly window: ReturnType<typeof open> }>()
  const open = (caller: Caller) => house.openWindow(undefined, undefined, caller.cookie, caller.appId)
  /** A window of the caller whose token has not lapsed. */
  function windowOf(caller: Caller) {
    const key = `${caller.cookie}\n${caller.appId}`
    const known = windows.get(key)
    if (known && clock.now() < known.until) return known.window
    const window = open(caller)
    windows.set(key, { window, until: clock.now() + 60_000 })
    return window
  }
  const call: AgentHost['call'] = async (method, args = {}, caller = {}) => {
    const window = await windowOf(caller)
    const named = { id: '1', window_uuid: window.windowUuid, ns: 'agent', method: `session.${method}`, args }
    return window.post(JSON.stringify(named))
  }
  return {
    ...{ ...house, clock, call },
    async create(args = {}, caller = {}) {
      const { body } = await call('create', { submode: 'auto', ...args }, caller)
      if (!body.ok) throw new Error(`${body.error.code}: ${body.error.message}`)
      return body.result.app_session_uuid
    },
  }
}

/** Installs a second app of ada's with both submodes; answers its id. */
export async function secondApp({ host }: TestHost): Promise<string> {
  const { app_id } = await host.apps.register('ada', { slug: 'second', name: 'Second' })
  const files = new Map([['index.html', Buffer.from('<p>')]])
  const { version } = await host.apps.pushDraft('ada', app_id, {
    manifest: testManifest(everySubmode),
    files,
  })
  await host.apps.install('ada', { app_id, version })
  return app_id
}
