import { testManifest } from '@svc/conformance/testing/host'
import type { RpcResponse } from '@svc/contract'
import { pause } from '@svc/node'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { createHost } from '../create-host.ts'
import { userJournal } from '../events/events.ts'
import type { Host } from '../host.ts'
import { type CountedPorts, countedPorts, type Kept } from './counted-ports.ts'
import { answered, type TestRunner, testRunner } from './jobs-runner.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const DAY_MS = 86_400_000
/** How often the sweeper of these hosts comes: a year is so many sweeps and no more. */
const SWEEP_MS = DAY_MS / 2

/** What a year looks at in results, each of which has some of it. */
type Result = Readonly<
  Record<
    | 'app_id'
    | 'app_session_uuid'
    | 'file_ref'
    | 'install_id'
    | 'stream_id'
    | 'token'
    | 'upload_url'
    | 'window_uuid',
    string
  >
>

/** A window of a user in an app. */
export interface OpenWindow {
  readonly uuid: string
  /** The result of a call; throws where it was refused. */
  call(ns: string, method: string, args?: unknown): Promise<Result>
  /** The code that a call was refused with. */
  refused(ns: string, method: string, args?: unknown): Promise<string>
}

/** A user who is signed in. */
export interface Person {
  readonly id: string
  /** The body of a route; throws where it was refused. */
  ask(method: string, path: string, body?: unknown): Promise<Result>
  open(appId: string): Promise<OpenWindow>
}

/** A host over ports that count, on a clock that stands still. */
export interface YearHost {
  readonly clock: FrozenClock
  readonly ports: CountedPorts
  readonly runner: TestRunner
  readonly host: () => Host
  signIn(user: string): Promise<Person>
  /** The last event of a type that a user was told. */
  lastEvent(userId: string, type: string): Promise<Record<string, unknown> | undefined>
  /** Until something is so; it is looked at with all that is written, however long that takes. */
  until(isSo: () => Promise<boolean> | boolean): Promise<void>
  /** What is kept when all that goes on has come to rest. */
  kept(): Promise<ReadonlyMap<string, Kept>>
  /** The next morning: the sweeper came by on the way. */
  nextDay(): Promise<void>
  /** Closes the host and opens another one over the same ports. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** A plugin with a tool that is quick, and one that the user is asked about. */
const description = {
  name: 'build',
  tools: [
    { name: 'all', parameters: [] },
    { name: 'wipe', parameters: [], destructive: true },
  ],
  credentials: [{ name: 'BUILD_KEY' }],
}

/** What the app of these hosts may do. */
export const manifest = (name: string) =>
  testManifest({
    name,
    required_plugs: ['build'],
    host_api: {
      storage: ['*'],
      files: ['*'],
      upload: ['*'],
      llm: ['*'],
      credentials: ['*'],
      agent: { session: { auto: true } },
    },
  })
/** What its users allow it. */
export const grants = {
  allowed_scopes: ['shared'],
  upload_grant: true,
  credentials_grant: true,
}

/** Nothing goes on where nobody asked the ports for anything in so many turns of the event loop. */
const TURNS = 10

/** Opens one. Close it. */
export async function openYearHost(): Promise<YearHost> {
  const clock = frozenClock()
  const ports = countedPorts(clock)
  const runner: TestRunner = {
    ...testRunner(),
    describe: async () => ({ ok: true, description }),
    call: async () => answered({}),
  }
  async function start(): Promise<Host> {
    const { store, bus, blobs } = ports
    const made = createHost({
      store,
      bus,
      blobs,
      clock,
      runner,
      secret: 's'.repeat(32),
      signIn: 'dev',
      storage: 'persistent',
      logger: pino({ level: 'warn' }),
      plugins: [{ slug: 'build', command: ['build'] }],
      limits: {
        REAPER_INTERVAL_MS: SWEEP_MS,
        CLEAN_INTERVAL_MS: SWEEP_MS,
        HOST_BEAT_MS: SWEEP_MS,
        HOST_DEAD_MS: 3 * SWEEP_MS,
        // However slow the machine is, nobody asks too much.
        LOAD_FREE_REQUESTS: Number.MAX_SAFE_INTEGER,
      },
    })
    await made.plugins.ready()
    return made
  }
  let host = await start()

  const send = (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) =>
    host.fetch(
      new Request(new URL(path, ORIGIN), {
        ...init,
        headers: {
          host: '127.0.0.1:8787',
          origin: ORIGIN,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    )
  async function signIn(id: string): Promise<Person> {
    const entered = await send('/api/v1/auth/dev-login', {
      method: 'POST',
      body: JSON.stringify({ user: id }),
      headers: { authorization: `Bearer ${host.startToken}` },
    })
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const ask: Person['ask'] = async (method, path, body) => {
      const sent = body instanceof Uint8Array ? body : JSON.stringify(body)
      const response = await send(path, {
        method,
        ...(sent !== undefined && { body: sent as string }),
        headers: { cookie, ...(body instanceof Uint8Array && { 'content-type': 'text/plain' }) },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
      return text && JSON.parse(text)
    }
    async function open(app_id: string): Promise<OpenWindow> {
      const { window_uuid, token } = await ask('POST', '/api/v1/svc-apps/windows', { app_id })
      async function post(ns: string, method: string, args: unknown = {}): Promise<RpcResponse> {
        const response = await send('/api/v1/svc-apps/runtime/rpc', {
          method: 'POST',
          headers: { cookie, 'x-svc-app-token': token },
          body: JSON.stringify({ id: '1', window_uuid, ns, method, args }),
        })
        return (await response.json()) as RpcResponse
      }
      return {
        uuid: window_uuid,
        async call(ns, method, args) {
          const answer = await post(ns, method, args)
          if (!answer.ok) throw new Error(`${ns}.${method}: ${JSON.stringify(answer)}`)
          return answer.result as Result
        },
        async refused(ns, method, args) {
          const answer = await post(ns, method, args)
          return answer.ok ? 'ok' : answer.error.code
        },
      }
    }
    return { id, ask, open }
  }
  async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
    for (;;) {
      const written = ports.written()
      if (await isSo()) return
      await written
    }
  }

  async function quiet(): Promise<void> {
    for (let turn = 0, asked = -1; turn < TURNS; turn += 1, asked = ports.asked()) {
      if (ports.asked() !== asked) turn = 0
      await pause()
    }
  }

  return {
    clock,
    ports,
    runner,
    host: () => host,
    signIn,
    until,
    async lastEvent(userId, type) {
      const { items } = await ports.bus.journal.read(userJournal(userId), 0)
      return items.map(({ item }) => JSON.parse(item)).findLast((event) => event.type === type)
    },
    async kept() {
      await quiet()
      return ports.kept()
    },
    async nextDay() {
      for (let passed = 0; passed < DAY_MS; passed += SWEEP_MS) {
        await quiet()
        await clock.advance(SWEEP_MS)
        await quiet()
      }
    },
    async restart() {
      await host.close()
      host = await start()
    },
    close: () => host.close(),
  }
}
