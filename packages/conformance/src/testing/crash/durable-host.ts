import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RpcResponse } from '@svc/contract'
import { createHost } from '@svc/host'
import { type Folder, openFolder } from '@svc/state-sqlite'
import { pino } from 'pino'
import { testManifest } from '../host.ts'
import { FIRST_DRAFT } from './host-checks.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const START_TOKEN = 'x'.repeat(32)
const MANY = 1_000_000
const DAY_MS = 86_400_000
/** A host that was killed is taken for dead soon; what all hosts together make is kept. */
const limits = {
  HOST_BEAT_MS: 100,
  HOST_DEAD_MS: 600,
  REAPER_INTERVAL_MS: 100,
  WINDOW_TOKEN_TTL_MS: DAY_MS,
  JOBS_KEPT_PER_APP: MANY,
  JOBS_KEPT_PER_USER: MANY,
  FILES_PER_APP: MANY,
  FILES_PER_USER: MANY,
  RELEASES_PER_APP: MANY,
} as const
const quotas = { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY * MANY }

/** The manifest of the app that does the work; its name tells one draft from another. */
export const manifestOf = (name: string) => ({
  ...testManifest({
    required_plugs: ['starts'],
    host_api: { agent: { session: { auto: true } }, storage: ['*'], upload: ['*'] },
  }),
  name,
})

/** What outlives the first process beside its folder. */
interface Kept {
  readonly appId: string
  readonly window: { readonly window_uuid: string; readonly token: string }
  readonly session: string
}

export type DurableHost = Awaited<ReturnType<typeof openDurableHost>>

/** Opens the host of a folder, with one app and one window of it that are made by the first process. */
export async function openDurableHost(dir: string) {
  mkdirSync(dir, { recursive: true })
  const folder: Folder = await openFolder(path.join(dir, 'data'))
  const plugin = path.join(import.meta.dirname, `starts-plugin${path.extname(import.meta.filename)}`)
  const starts = path.join(dir, 'starts')
  const host = createHost({
    store: folder.store,
    bus: folder.bus,
    blobs: folder.blobs,
    secret: folder.secret,
    signIn: 'dev',
    startToken: START_TOKEN,
    isolation: 'none',
    logger: pino({ level: 'silent' }),
    plugins: [{ slug: 'starts', command: ['node', plugin], env: { STARTS: starts } }],
    limits,
    quotas,
  })
  const request = (route: string, init: RequestInit = {}) =>
    host.fetch(
      new Request(new URL(route, ORIGIN), {
        ...init,
        headers: {
          host: '127.0.0.1:8787',
          origin: ORIGIN,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    )
  const signedIn = await request('/api/v1/auth/dev-login', {
    method: 'POST',
    body: JSON.stringify({ user: 'ada' }),
    headers: { authorization: `Bearer ${START_TOKEN}` },
  })
  if (!signedIn.ok) throw new Error(await signedIn.text())
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

  /** Sends JSON to a route as the page of the user. */
  async function send<Answer>(method: string, route: string, body: unknown): Promise<Answer> {
    const response = await request(route, { method, body: JSON.stringify(body), headers: { cookie } })
    if (!response.ok) throw new Error(`${route}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  const pushDraft = (appId: string, name: string) =>
    send('PUT', `/api/v1/svc-apps/apps/${appId}/draft`, {
      manifest: manifestOf(name),
      files: { 'index.html': Buffer.from(`<!doctype html><p>${name}`).toString('base64') },
    })

  const file = path.join(dir, 'kept.json')
  const kept = readKept(file) ?? (await make())

  async function make(): Promise<Kept> {
    await host.plugins.ready()
    const app = await send<{ app_id: string }>('POST', '/api/v1/svc-apps/apps', { slug: 'app', name: 'App' })
    await pushDraft(app.app_id, FIRST_DRAFT)
    const install = { app_id: app.app_id, version: '0.0.0-draft', grants: { upload_grant: true } }
    await send('POST', '/api/v1/svc-apps/installs', install)
    const window = await send<Kept['window']>('POST', '/api/v1/svc-apps/windows', { app_id: app.app_id })
    const made = await call<{ app_session_uuid: string }>(window, 'agent', 'session.create', {
      submode: 'auto',
    })
    const next = { appId: app.app_id, window, session: made.app_session_uuid }
    writeFileSync(file, JSON.stringify(next))
    return next
  }

  /** Calls as the app does in its window; throws what the host refuses. */
  async function call<Result>(
    window: Kept['window'],
    ns: string,
    method: string,
    args: object,
  ): Promise<Result> {
    const response = await request('/api/v1/svc-apps/runtime/rpc', {
      method: 'POST',
      body: JSON.stringify({ id: '1', window_uuid: window.window_uuid, ns, method, args }),
      headers: { cookie, 'x-svc-app-token': window.token },
    })
    const answer = (await response.json()) as RpcResponse
    if (!answer.ok) throw new Error(`${ns}.${method}: ${answer.error.code}: ${answer.error.message}`)
    return answer.result as Result
  }

  return {
    folder,
    host,
    starts,
    ...kept,
    request,
    call: <Result>(ns: string, method: string, args: object) => call<Result>(kept.window, ns, method, args),
    pushDraft: (name: string) => pushDraft(kept.appId, name),
    async close() {
      await host.close()
      await folder.close()
    },
  }
}

function readKept(file: string): Kept | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
