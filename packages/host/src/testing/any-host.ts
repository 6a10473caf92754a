import { openTestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { type ThreeHosts, threeHosts } from '@svc/conformance/testing/three-hosts'
import type { RpcResponse } from '@svc/contract'
import type { PluginDescription } from '@svc/contract/stdio'
import { frozenClock } from '@svc/node/testing'
import type { CallInput, CallOutcome } from '@svc/runner'
import { memoryBus, memoryStore } from '@svc/state'
import { userJournal } from '../events/events.ts'
import { answered, type TestRunner, testRunner } from './jobs-runner.ts'
import { scriptedModel } from './run-model.ts'

/** What the app of these hosts may call. */
export const host_api = {
  agent: { session: { auto: true } },
  llm: ['complete', 'stream'],
  storage: ['*'],
  files: ['*'],
  upload: ['*'],
}
const DESCRIPTION: PluginDescription = {
  name: 'build',
  tools: [
    { name: 'all', parameters: [] },
    { name: 'wipe', parameters: [], destructive: true },
  ],
  host_capabilities: ['llm.agent.auto'],
}

/**
 * Three hosts on a clock that stands still, so that no copy of a record grows old: what one host writes, others learn
 * from it or not at all. Each request goes to the next host.
 */
export async function openAnyHost(options: TestHostOptions = {}) {
  const clock = frozenClock()
  const bus = memoryBus({ clock })
  const model = scriptedModel()
  const calls = { serve: async (_: CallInput): Promise<CallOutcome> => answered({}) }
  const runners: TestRunner[] = []
  const made: ThreeHosts[] = []
  const at = await openTestHost({
    clock,
    bus,
    store: memoryStore(),
    storage: 'persistent',
    models: { default: { model: model.model } },
    plugins: [{ slug: 'build', command: ['build'] }],
    manifest: { host_api, required_plugs: ['build'] },
    grants: { upload_grant: true },
    make: (given) => {
      const hosts = threeHosts(given, () => {
        const runner: TestRunner = {
          ...testRunner(),
          describe: async () => ({ ok: true, description: DESCRIPTION }),
          call: (input) => calls.serve(input),
        }
        runners.push(runner)
        return { runner }
      })
      made.push(hosts)
      return hosts
    },
    ...options,
  })
  await at.host.plugins.ready()
  const [hosts] = made
  if (!hosts) throw new Error('no hosts were made')
  const window = await at.openWindow()
  const { cookie } = window
  return {
    ...at,
    hosts,
    calls,
    model,
    runners,
    window,
    /** The same once at each host. */
    everywhere: async <T>(ask: () => Promise<T>): Promise<T[]> => [await ask(), await ask(), await ask()],
    send: (path: string, method = 'GET', body?: unknown) =>
      at.request(path, { method, cookie, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    /** The answer of a route, as JSON. Throws where it is refused. */
    async json<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
      const response = await at.request(path, {
        method,
        cookie,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as T
    },
    events: async (type: string) =>
      (await bus.journal.read(userJournal('ada'), 0)).items
        .map(({ item }) => JSON.parse(item))
        .filter((event) => event.type === type),
  }
}

/** Three hosts with an app and a window of ada's. Close them. */
export type AnyHost = Awaited<ReturnType<typeof openAnyHost>>

/** The result of a call. Throws where it failed. */
export async function ok<T = Record<string, never>>(call: Promise<RpcResponse>): Promise<T> {
  const answer = await call
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.result as T
}

/** What each host answers to the same call: `ok`, or the code of the error. */
export const codesOf = async (at: Pick<AnyHost, 'everywhere'>, ask: () => Promise<RpcResponse>) =>
  (await at.everywhere(ask)).map((answer) => (answer.ok ? 'ok' : answer.error.code))

/** The same, three times. */
export const thrice = <T>(one: T): T[] => [one, one, one]

/** Opens an event stream at the next host; `done` resolves with what it heard once `enough` holds, and its last id. */
export async function hear(
  at: Pick<AnyHost, 'request' | 'window'>,
  lastId: string | undefined,
  enough: (text: string) => boolean,
) {
  const stop = new AbortController()
  const response = await at.request(`/api/v1/svc-apps/runtime/events?windows=${at.window.windowUuid}`, {
    cookie: at.window.cookie,
    signal: stop.signal,
    headers: lastId === undefined ? {} : { 'last-event-id': lastId },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const begun = Promise.withResolvers<void>()
  async function read() {
    while (!enough(text)) {
      const part = await reader?.read()
      if (!part || part.done) break
      text += part.value
      if (text.includes('id:')) begun.resolve()
    }
    stop.abort()
    await reader?.cancel().catch(() => undefined)
    return { text, lastId: [...text.matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1] }
  }
  const done = read()
  await Promise.race([begun.promise, done])
  return { done }
}
