import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { rounds } from './rounds.ts'
import { type ClusterPage, openPages } from './testing/cluster/page.ts'
import { type HostPlace, startHosts } from './testing/cluster/some-hosts.ts'
import { type CutEvents, cutEvents } from './testing/cut-events.ts'
import { type FaultyRelay, openFaultyRelay } from './testing/faulty-relay.ts'
import { atPort } from './testing/host.ts'
import { type PostgresServer, startPostgresServer } from './testing/postgres-server.ts'
import { type RedisServer, startRedisServer } from './testing/redis-server.ts'
import { verifies } from './verifies.ts'

const PAIRS = rounds(1_000, 100)
/** More than a page reads of a stream here. */
const ALL = 10_000_000
const READ_MS = 500

let dir: string
let postgres: PostgresServer
let redis: RedisServer
let relay: FaultyRelay
let places: readonly HostPlace[]
/** The first host reaches Redis through the relay. */
let turn: HostPlace
let a: HostPlace
let b: HostPlace
let ada: ClusterPage
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-told-'))
  postgres = await startPostgresServer()
  redis = await startRedisServer()
  relay = await openFaultyRelay(Number(new URL(redis.url).port))
  const common = { postgres: postgres.url, starts: path.join(dir, 'starts') }
  const [first] = await startHosts(1, { ...common, redis: `redis://127.0.0.1:${relay.port}` })
  const [second] = await startHosts(1, { ...common, redis: redis.url })
  if (!first || !second) throw new Error('two hosts were asked for')
  places = [first, second]
  ;[a, b] = [first, second]
  turn = a
  const pages = openPages(() => turn)
  ada = await pages.page(await pages.user('ada'))
})
afterAll(async () => {
  for (const place of places ?? []) await place.kill()
  await relay?.close()
  await redis?.close()
  await postgres?.close()
  rmSync(dir, { recursive: true, force: true })
})

function setTitle(place: HostPlace, title: string): Promise<unknown> {
  turn = place
  return ada.call('window', 'set_title', { title })
}

async function storedTitle(): Promise<string> {
  const headers = { cookie: atPort(ada.cookie, { port: b.port }) }
  const answer = await fetch(`http://127.0.0.1:${b.port}/api/v1/svc-apps/windows`, { headers })
  const { windows } = (await answer.json()) as { windows: { window_uuid: string; title: string }[] }
  return windows.find(({ window_uuid }) => window_uuid === ada.window.window_uuid)?.title ?? ''
}

const pageAt = (place: HostPlace) => cutEvents(place.port, ada.cookie, `windows=${ada.window.window_uuid}`)

const titlesOf = ({ heard }: CutEvents) =>
  heard
    .map((event) => JSON.parse(event) as { type: string; title: string; revision: number })
    .filter(({ type }) => type === 'title_changed')

async function hears(page: CutEvents, title: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.connect(ALL, READ_MS)
        return titlesOf(page).at(-1)?.title
      },
      { timeout: 60_000 },
    )
    .toBe(title)
}

/** Each is newer than the one before: none is swapped or doubled. */
function expectOrder(page: CutEvents): void {
  const revisions = titlesOf(page).map(({ revision }) => revision)
  expect(revisions).toEqual([...new Set(revisions)].sort((x, y) => x - y))
}

verifies(
  'events.order',
  'titles that two hosts set at once come in their order, the last one too',
  async () => {
    const page = pageAt(b)
    await page.begin()
    const stored: string[] = []
    for (let n = 0; n < PAIRS; n += 1) {
      const both = [setTitle(a, `a${n}`), setTitle(b, `b${n}`)]
      await Promise.all(both)
      stored.push(await storedTitle())
    }
    await hears(page, stored.at(-1) ?? '')
    const titles = titlesOf(page).map(({ title }) => title)
    expect(stored.filter((title) => !titles.includes(title))).toEqual([])
    expectOrder(page)
    expect(page.resets).toBe(0)
  },
)

verifies(
  'events.order',
  'a title of a host that Redis was away for comes not behind a newer one',
  async () => {
    const page = pageAt(b)
    await page.begin()
    relay.refuse()
    await setTitle(a, 'older')
    await setTitle(b, 'newer')
    await hears(page, 'newer')
    relay.mend()
    // Its own order: what waits at this host goes first.
    await setTitle(a, 'newest')
    await hears(page, 'newest')
    expectOrder(page)
    expect(titlesOf(page).map(({ title }) => title)).not.toContain('older')
  },
)

verifies('events.acknowledged', 'pages read anew where a host dies that Redis was away for', async () => {
  const page = pageAt(b)
  await page.begin()
  relay.refuse()
  await setTitle(a, 'acknowledged')
  await a.kill()
  relay.mend()
  const resets = async () => {
    await page.connect(ALL, READ_MS)
    return page.resets
  }
  await expect.poll(resets, { timeout: 120_000 }).toBe(1)
  expect(await storedTitle()).toBe('acknowledged')
})
