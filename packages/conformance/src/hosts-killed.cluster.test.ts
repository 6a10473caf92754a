import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type Cluster, openCluster } from '@svc/state-cluster'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds, roundsSeed } from './rounds.ts'
import { type ClusterPage, Cut, openPages, Refused } from './testing/cluster/page.ts'
import { type HostPlace, startHosts } from './testing/cluster/some-hosts.ts'
import { type CutEvents, cutEvents } from './testing/cut-events.ts'
import { type PostgresServer, startPostgresServer } from './testing/postgres-server.ts'
import { type RedisServer, startRedisServer } from './testing/redis-server.ts'
import { seeded } from './testing/seeded.ts'

const KILLS = rounds(20, 2)
const JOBS = rounds(10_000, 150)
const RUNS = rounds(2_000, 40)
const PAGES = rounds(40, 8)
const USERS = rounds(4, 2)
const TERMINAL = ['succeeded', 'failed', 'cancelled', 'expired']
/** How long a page waits for the end of a stream before it asks for it. */
const ATTACH_MS = 5_000
/** And how long it waits in all. */
const END_MS = 180_000
/** A dead host is noticed, and what it held has ended. */
const NOTICED_MS = 10_000
const HOUR_MS = 3_600_000

let dir: string
let postgres: PostgresServer
let redis: RedisServer
let cluster: Cluster
let look: Client
let places: readonly HostPlace[]
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-hosts-'))
  postgres = await startPostgresServer()
  redis = await startRedisServer()
  cluster = await openCluster({ postgres: postgres.url, redis: redis.url })
  look = new Client({ connectionString: postgres.url })
  await look.connect()
  places = await startHosts(3, { postgres: postgres.url, redis: redis.url, starts: path.join(dir, 'starts') })
})
afterAll(async () => {
  for (const place of places ?? []) await place.kill()
  await look?.end()
  await cluster?.close()
  await redis?.close()
  await postgres?.close()
  rmSync(dir, { recursive: true, force: true })
})

/** The rows of a collection, as they stand. */
const rowsOf = async <Row>(collection: string): Promise<Row[]> => {
  const text = `SELECT r.body FROM svc.records r JOIN svc.collections c ON c.n = r.collection WHERE c.name = $1`
  const { rows } = await look.query<{ body: string }>(text, [collection])
  return rows.map(({ body }) => JSON.parse(body))
}

/** What was told to pages, and how long they waited. */
const told = {
  jobs: new Map<string, string | null>(),
  runs: new Set<string>(),
  ended: new Set<string>(),
  wrong: [] as string[],
  /** When a call began, and how long it took, in ms. */
  waits: [] as (readonly [at: number, ms: number])[],
}

/** Whether a page may just try again: the connection broke, or the host says so. */
const isPassing = (error: unknown) =>
  error instanceof Cut ||
  (error instanceof Refused &&
    /unavailable|timeout|capacity|max_|rate|overload|aborted|internal/.test(error.code))

/** One page: jobs and runs one after the other, each until it has ended, and short calls between them. */
async function work(page: ClusterPage, name: string, isEnough: () => boolean): Promise<void> {
  async function asked<Result>(ns: string, method: string, args: object): Promise<Result | null> {
    try {
      return await page.call<Result>(ns, method, args)
    } catch (error) {
      if (!isPassing(error)) told.wrong.push(`${ns}.${method}: ${String(error)}`)
      await after(50)
      return null
    }
  }
  async function job(mark: string): Promise<void> {
    const order = { tool_id: 'starts', method: 'start', args: { mark, waitMs: 20 } }
    const started = await asked<{ jobId: string }>('tools', 'invokeAsync', order)
    if (!started) return
    told.jobs.set(started.jobId, null)
    for (;;) {
      const at = performance.now()
      const found = await asked<{ state: string }>('tools', 'getJob', { jobId: started.jobId })
      if (found) told.waits.push([at, performance.now() - at])
      if (found && TERMINAL.includes(found.state)) {
        told.jobs.set(started.jobId, found.state)
        return
      }
      await after(20)
    }
  }
  for (let n = 0; !isEnough(); n++) {
    await job(`${name}-${n}`)
    await job(`${name}-${n}-b`)
    if (n % 2 === 1) continue
    const args = { app_session_uuid: page.session, content: 'one two three four five' }
    const run = await asked<{ stream_id: string; run_id: string }>('agent', 'session.run', args)
    if (!run) continue
    told.runs.add(run.stream_id)
    // As the client does: who tells the page of a stream may be killed before it has.
    const { app_session_uuid } = args
    const attach = { app_session_uuid, run_id: run.run_id, after_seq: 0 }
    const until = performance.now() + END_MS
    for (let from = performance.now(); !told.ended.has(run.stream_id); await after(20)) {
      if (performance.now() > until) {
        told.wrong.push(`the end of ${run.stream_id} did not come`)
        break
      }
      if (performance.now() - from < ATTACH_MS) continue
      await asked('agent', 'session.attach', attach)
      from = performance.now()
    }
  }
}

/** The event stream of a page, over hosts that come and go: each frame once and in its order, up to the one end. */
async function listen(events: CutEvents, isOver: () => boolean): Promise<void> {
  let seen = 0
  while (!isOver()) {
    try {
      await events.connect(1_000_000, 500)
    } catch {
      // The host it went to has just gone.
      await after(20)
    }
    for (const frame of events.frames.slice(seen)) if (frame.done) told.ended.add(frame.stream_id)
    seen = events.frames.length
  }
  for (const stray of events.strays)
    told.wrong.push(`frame ${stray.seq} of ${stray.stream_id} is out of order`)
}

/** How long it takes until all hosts that do not beat any more are marked as dead, in ms. */
async function noticed(killedAt: number): Promise<number> {
  const from = performance.now()
  const isSilent = ({ beat_at }: { beat_at: number }) => beat_at > 0 && beat_at <= killedAt
  // Those that live have beaten by then.
  await after(1_500)
  while ((await rowsOf<{ beat_at: number }>('hosts')).some(isSilent)) await after(50)
  return performance.now() - from
}

const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

it(
  `of three hosts one is killed ${KILLS} times: nothing is lost, started twice or ended twice`,
  async () => {
    const random = seeded(roundsSeed())
    const pick = () => {
      const up = places.filter(({ isUp }) => isUp)
      return up[Math.floor(random() * up.length)] as HostPlace
    }
    const pages = openPages(pick)
    const users = await Promise.all(Array.from({ length: USERS }, (_, n) => pages.user(`user${n}`)))
    const all = await Promise.all(
      Array.from({ length: PAGES }, (_, n) => pages.page(users[n % USERS] as (typeof users)[number])),
    )
    let kills = 0
    const isEnough = () => kills === KILLS && told.jobs.size >= JOBS && told.runs.size >= RUNS
    let isOver = false
    const streams = all.map((page) =>
      cutEvents(() => pick().port, page.cookie, `windows=${page.window.window_uuid}`),
    )
    await Promise.all(streams.map((events) => events.begin()))
    const listening = streams.map((events) => listen(events, () => isOver))
    const working = all.map((page, at) => work(page, `page${at}`, isEnough))

    const notices: number[] = []
    const troubled: number[] = []
    const every = JOBS / (KILLS + 1)
    while (kills < KILLS) {
      while (told.jobs.size < every * (kills + 1)) await after(20)
      const place = pick()
      const at = performance.now()
      const killedAt = Date.now()
      await place.kill()
      notices.push(await noticed(killedAt))
      const until = performance.now()
      troubled.push(...told.waits.filter(([begun]) => begun >= at && begun <= until).map(([, ms]) => ms))
      await place.start()
      kills += 1
    }
    await Promise.all(working)
    await expect
      .poll(
        async () => [
          ...(await rowsOf<{ state: string }>('jobs')).filter(({ state }) => !TERMINAL.includes(state)),
          ...(await rowsOf<{ stream_closed: boolean }>('runs')).filter(({ stream_closed }) => !stream_closed),
          ...[...told.runs].filter((stream) => !told.ended.has(stream)),
        ],
        { timeout: 60_000 },
      )
      .toEqual([])
    isOver = true
    await Promise.all(listening)

    const marks = readFileSync(path.join(dir, 'starts'), 'utf8').trimEnd().split('\n')
    const again = marks.filter((mark, at) => marks.indexOf(mark) < at)
    const quiet = told.waits.map(([, ms]) => ms)
    console.log({
      jobs: told.jobs.size,
      runs: told.runs.size,
      noticedMs: notices.map(Math.round),
      p99: { whole: p99(quiet), whileOneIsDead: p99(troubled) },
    })
    expect(again, 'started twice').toEqual([])
    expect(told.wrong).toEqual([])
    expect(
      [...told.jobs].filter(([, state]) => state === null),
      'lost',
    ).toEqual([])
    for (const { stream_id } of await rowsOf<{ stream_id: string }>('runs')) {
      const { items, tail } = await cluster.bus.journal.read(`run:${stream_id}`, 0)
      const ends = items.filter(({ item }) => item.startsWith('{"event":"end"'))
      expect(
        ends.map(({ seq }) => seq),
        stream_id,
      ).toEqual([tail])
    }
    expect(Math.max(...notices)).toBeLessThan(NOTICED_MS)
  },
  HOUR_MS,
)
