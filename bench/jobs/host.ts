import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, createHost, type HostOptions, memoryBus, memoryStore, systemClock } from '@svc/host'
import type { Runner } from '@svc/runner'
import { pino } from 'pino'
import { OWN_PLUGIN, OWN_TOOL, ownRunner } from '../lib/own-runner.ts'

const ORIGIN = 'http://127.0.0.1'
const RPC = '/api/v1/svc-apps/runtime/rpc'
const USER = 'x-user'
/** One user makes as many calls here as a host can answer. */
const ENDLESS = 1_000_000_000
/** Longer than any measurement. */
const HOUR_MS = 3_600_000

const MANIFEST = {
  schema: 3,
  name: 'Jobs',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main', default: true }] },
  required_plugs: [OWN_PLUGIN.slug],
}

/** Runs nothing: a job has ended when it is started. */
const idle = ownRunner(({ onStarted }) => {
  onStarted()
  return Promise.resolve({ ok: true, payload: {}, json: '{}', bytes: 2 })
})

/** How the event begins and ends that tells the page of a user, who has no window, that a job is over. */
const OF_PAGE = '{"type":"tool_job","window_uuid":null'
const IS_OVER = '"terminal":true}'

/** A host whose jobs run nothing; each of its users has a window of an app. */
export interface JobsHost {
  /** Starts `count` jobs of a user: one request with as many calls, as a page sends those of one turn. */
  start(userId: string, count: number): Promise<void>
  /** Opens one more window of a user. */
  openWindow(userId: string): Promise<void>
  /** Resolves when so many jobs have ended since it was opened. */
  ended(count: number): Promise<void>
  close(): Promise<void>
}

/** Passes every append on, and counts the jobs that are over by what is appended. */
export function watchedBus(bus: Bus): { readonly bus: Bus; ended(count: number): Promise<void> } {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  let reached = () => {}
  const append: Bus['journal']['append'] = async (name, seq, items) => {
    const appended = await bus.journal.append(name, seq, items)
    if (appended.ok)
      for (const item of items) if (item.startsWith(OF_PAGE) && item.endsWith(IS_OVER)) count += 1
    if (count >= wanted) reached()
    return appended
  }
  const watched = {
    ...bus,
    get epoch() {
      return bus.epoch
    },
    journal: { ...bus.journal, append },
  }
  const ended = (total: number) =>
    new Promise<void>((resolve) => {
      wanted = total
      reached = resolve
      if (count >= wanted) resolve()
    })
  return { bus: watched, ended }
}

/** Opens a host for these users, in memory or on the state that is given and not closed with it. Close it. */
export async function openJobsHost(
  userIds: readonly string[],
  {
    state,
    runner = idle,
  }: { readonly state?: Required<Pick<HostOptions, 'store' | 'bus'>>; readonly runner?: Runner } = {},
): Promise<JobsHost> {
  const { store, bus: shared } = state ?? { store: memoryStore(), bus: memoryBus({ clock: systemClock }) }
  const { bus, ended } = watchedBus(shared)
  const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  await writeFile(join(dir, 'manifest.json'), JSON.stringify(MANIFEST))
  await writeFile(join(dir, 'index.html'), '<!doctype html>')
  const host = createHost({
    harness: true,
    authenticate: (request) => ({ id: request.headers.get(USER) ?? '' }),
    logger: pino({ level: 'silent' }),
    secret: 's'.repeat(32),
    store,
    bus,
    runner,
    plugins: [{ slug: OWN_PLUGIN.slug, command: [...OWN_PLUGIN.command] }],
    apps: [{ dir }],
    limits: { RATE_CALL_PER_SECOND: ENDLESS, RATE_CALL_BURST: ENDLESS, WINDOW_TOKEN_TTL_MS: HOUR_MS },
  })
  await host.plugins.ready()

  const requests = new Map<string, (jobs: number) => Request>()
  for (const userId of userIds) {
    const [app] = await host.apps.installed(userId)
    if (!app) throw new Error(`${userId} does not have the app`)
    const { window_uuid, token } = await host.windows.open(userId, { app_id: app.app_id })
    const headers = {
      [USER]: userId,
      host: new URL(ORIGIN).host,
      origin: ORIGIN,
      'content-type': 'application/json',
      'x-svc-app-token': token,
    }
    const args = { tool_id: OWN_PLUGIN.slug, method: OWN_TOOL, args: {} }
    const call = { window_uuid, ns: 'tools', method: 'invokeAsync', args }
    requests.set(userId, (jobs) => {
      const calls = Array.from({ length: jobs }, (_, at) => ({ id: String(at), ...call }))
      return new Request(ORIGIN + RPC, { method: 'POST', headers, body: JSON.stringify(calls) })
    })
  }

  return {
    async start(userId, jobs) {
      const request = requests.get(userId)?.(jobs)
      const text = request ? await (await host.fetch(request)).text() : `${userId} has no window`
      if (text.split('"ok":true').length !== jobs + 1) throw new Error(text)
    },
    async openWindow(userId) {
      const [app] = await host.apps.installed(userId)
      await host.windows.open(userId, { app_id: app?.app_id ?? '' })
    },
    ended,
    async close() {
      await host.close()
      if (!state) await shared.close()
      await rm(dir, { recursive: true })
    },
  }
}
