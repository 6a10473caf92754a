import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@svc/contract'
import { type Cost, memoryOf, openMeter } from './cluster/meter.ts'
import { openPages } from './cluster/pages.ts'
import { type Servers, startServers } from './cluster/servers.ts'
import type { Feed } from './events/feed.ts'
import { openJobFeed } from './events/job-feed.ts'
import { openRunFeed } from './events/run-feed.ts'
import { requestOf, type WindowCall } from './gateway/contender.ts'
import { openJobsHost } from './jobs/host.ts'
import { load } from './lib/load.ts'
import { startServer } from './lib/server.ts'

const CALLS = 4_000
const LANES = 8
const JOBS = 1_000
const TOLD = 3_000
/** Told in one turn of the event loop. */
const TURNS = [1, 20]
const USERS = 40
const WINDOWS_EACH = 10
const PAGES = 400
const IDLE_MS = 40_000

const storage = (method: string, args: object): WindowCall => ({
  ns: 'storage',
  method,
  args: { key: 'note', ...args },
})
const calls: readonly (readonly [name: string, call: WindowCall, lanes: number])[] = [
  ['a call that needs no row (heartbeat)', { ns: 'window', method: 'heartbeat', args: {} }, LANES],
  ['storage.get', storage('get', {}), LANES],
  ['storage.set', storage('set', { value: { text: 'x'.repeat(100) } }), 1],
]

/** What a host, PostgreSQL and Redis do for each call, job, event and frame; both servers write to their disks. */
export async function benchClusterCosts(): Promise<void> {
  const servers = await startServers(true)
  try {
    // The first host makes the schema.
    await (await servers.open()).close()
    const meter = await openMeter(servers)
    const row = async (
      name: string,
      count: number,
      cpu: () => Promise<number>,
      work: () => Promise<unknown>,
    ) => {
      const before = await cpu()
      const cost = await meter.cost(count, work)
      print(name, ((await cpu()) - before) / count, cost)
    }
    console.log('\nwhat one of each costs: CPU in µs, bytes, statements and commands')
    await callRows(servers, row)
    await jobRows(servers, row)
    await feedRows(servers, row)
    await pageRows(servers, row)
    await meter.close()
  } finally {
    await servers.close()
  }
}

type RowOf = (
  name: string,
  count: number,
  cpu: () => Promise<number>,
  work: () => Promise<unknown>,
) => Promise<void>

/** CPU time of this process, µs. */
const ownCpu = async () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function callRows({ postgres, redis }: Servers, row: RowOf): Promise<void> {
  const host = await startServer(new URL('gateway/svc.ts', import.meta.url), postgres.url, redis.url)
  try {
    for (const [name, call, lanes] of calls.toReversed()) {
      const request = requestOf(host, call)
      await load(host.port, request, lanes, CALLS / 2)
      await row(name, CALLS, host.cpu, () => load(host.port, request, lanes, CALLS))
    }
  } finally {
    await host.close()
  }
}

async function jobRows(servers: Servers, row: RowOf): Promise<void> {
  const { store, bus, close } = await servers.open()
  const users = Array.from({ length: USERS }, (_, at) => `user${at}`)
  const host = await openJobsHost(users, { state: { store, bus } })
  let ended = 0
  const round = async () => {
    ended += USERS * limits.JOBS_ACTIVE_PER_USER
    await Promise.all(users.map((user) => host.start(user, limits.JOBS_ACTIVE_PER_USER)))
    await host.ended(ended)
  }
  await round()
  await row('a job that does nothing', JOBS, ownCpu, async () => {
    const until = ended + JOBS
    while (ended < until) await round()
  })
  const windows = users.flatMap((user) => Array.from({ length: WINDOWS_EACH }, () => user))
  await row('a window that is opened', windows.length, ownCpu, async () => {
    for (const user of windows) await host.openWindow(user)
  })
  await host.close()
  await close()
}

/** Told to one page at once. */
async function feedRows(servers: Servers, row: RowOf): Promise<void> {
  const { store, bus, blobs, secret, close } = await servers.open()
  const told = async (name: string, feed: Feed) => {
    const page = await openPages(feed.port, feed.path, [feed.cookie])
    let seq = 0
    const turns = async (count: number, aTurn: number) => {
      for (const until = seq + count; seq < until; ) {
        for (let n = 0; n < aTurn; n++) {
          seq += 1
          feed.send(seq)
        }
        await page.until(feed.markOf(seq))
      }
    }
    for (const aTurn of TURNS) {
      await turns(TOLD / 10, aTurn)
      await row(`${name}, ${aTurn} a turn`, TOLD, ownCpu, () => turns(TOLD, aTurn))
    }
    page.close()
    await feed.close()
  }
  await told('an event of a job', await openJobFeed(8, { store, bus, blobs, secret }))
  await told('a frame of a run', await openRunFeed(8, 4, { user: 'bob', store, bus, blobs, secret }))
  await close()
}

/** Users who have a page open: what opening costs, what it keeps, and what is done while nobody does anything. */
async function pageRows({ postgres, redis }: Servers, row: RowOf): Promise<void> {
  const host = await startServer(new URL('cluster/host.ts', import.meta.url), postgres.url, redis.url)
  const cookies = Array.from({ length: PAGES }, (_, at) => `ada${at}`)
  const pid = Number(host.ready.pid)
  const users = await signInAll(host.port, host.ready.startToken ?? '', cookies)
  const before = memoryOf(pid)
  const opened: { close(): void }[] = []
  await row('an event stream that is opened', PAGES, host.cpu, async () => {
    opened.push(await openPages(host.port, '/api/v1/svc-apps/runtime/events?jobs=1', users))
  })
  console.log(
    `  ${((memoryOf(pid) - before) / PAGES / 1_024).toFixed(1)} KiB of the host for each that is open`,
  )
  await row(`a second of a host with ${PAGES} event streams and no call`, IDLE_MS / 1_000, host.cpu, () =>
    pause(IDLE_MS),
  )
  for (const one of opened) one.close()
  await host.close()
}

async function signInAll(port: number, startToken: string, names: readonly string[]): Promise<string[]> {
  const cookies: string[] = []
  for (const user of names) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/dev-login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: `http://127.0.0.1:${port}`,
        authorization: `Bearer ${startToken}`,
      },
      body: JSON.stringify({ user }),
    })
    if (!response.ok) throw new Error(await response.text())
    cookies.push(response.headers.get('set-cookie')?.split(';')[0] ?? '')
  }
  return cookies
}

const several = (counted: ReadonlyMap<string, number>) => {
  const shown = [...counted].filter(([, count]) => count >= 0.01).sort(([, a], [, b]) => b - a)
  const sum = shown.reduce((all, [, count]) => all + count, 0)
  const names = shown.map(([name, count]) => `${name} ${count.toFixed(2)}`)
  return `${sum.toFixed(2)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

function print(name: string, hostCpuUs: number, cost: Cost): void {
  console.log(`\n${name}`)
  console.log(
    `  CPU: host ${hostCpuUs.toFixed(0)} µs, PostgreSQL ${cost.postgresCpuUs.toFixed(0)} µs, Redis ${cost.redisCpuUs.toFixed(1)} µs`,
  )
  console.log(
    `  bytes: ${cost.walBytes.toFixed(0)} to the log of PostgreSQL, ${cost.postgresKeptBytes.toFixed(0)} kept there, ${cost.redisNetBytes.toFixed(0)} to and from Redis, ${cost.redisKeptBytes.toFixed(0)} kept there`,
  )
  console.log(`  statements: ${several(cost.statements)}`)
  console.log(`  commands: ${several(cost.commands)}`)
}

if (import.meta.main) await benchClusterCosts()
