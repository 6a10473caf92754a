import { openRelay } from '@svc/conformance/testing/relay'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import type { Bus } from '@svc/state'
import { expect, onTestFinished } from 'vitest'
import { adminOfTest, busesOfTest, redisOfTest } from '../testing/redis-hold.ts'

verifies.each('cluster.bus.once')([
  ['nobody else appends', 0, {}],
  ['others append after it', 3, {}],
  ['others append after it, and some of it is trimmed', 3, { keep: 4 }],
])('an append whose answer is lost stands once where %s', async (_, others, trim) => {
  const server = await redisOfTest()
  const relay = await openRelay(server.port)
  onTestFinished(() => relay.close())
  const open = busesOfTest(server.url)
  const [cut, other] = [await open(`redis://127.0.0.1:${relay.port}`), await open()]
  await cut.journal.append('j', 1, ['1'])
  relay.deafen()
  const appended = cut.journal.append('j', 2, ['2', '3'])
  await expect.poll(async () => (await other.journal.read('j', 1)).tail).toBe(3)
  for (let seq = 4; seq < 4 + others; seq += 1) await other.journal.append('j', seq, [`${seq}`])
  if ('keep' in trim) await other.journal.trim('j', { keep: trim.keep })
  relay.cut()
  relay.mend()
  expect(await appended).toEqual({ ok: true, tail: 3 })
  const { items, first, tail } = await other.journal.read('j', 0)
  expect([items.at(-1)?.item, tail]).toEqual([`${tail}`, 3 + others])
  expect(items.length).toBe(tail - first + 1)
})

const WRITERS = 4
const PER_WRITER = 400

/** Appends numbered items as fast as they are acknowledged, and returns the seq of each. */
async function write(bus: Bus, name: string, writer: number): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>()
  let seq = 1
  for (let at = 0; at < PER_WRITER; ) {
    const item = `"${writer}:${at}"`
    const done = await bus.journal.append(name, seq, [item])
    if (done.ok) {
      acknowledged.set(item, done.tail)
      at += 1
    }
    seq = (done.ok ? done.tail : done.refused) + 1
  }
  return acknowledged
}

async function readAll(bus: Bus, name: string, total: number) {
  const seen: string[] = []
  let resets = 0
  for await (const { items, reset } of bus.journal.follow(name, 0)) {
    if (reset) resets += 1
    for (const { seq, item } of items) {
      expect(seq).toBe(seen.length + 1)
      seen.push(item)
    }
    if (seen.length >= total) break
  }
  return { seen, resets }
}

verifies(
  'cluster.bus.cut',
  'connections that are cut at random lose nothing and repeat nothing',
  async () => {
    const server = await redisOfTest()
    const open = busesOfTest(server.url)
    const buses = await Promise.all(Array.from({ length: WRITERS }, () => open()))
    const admin = await adminOfTest(server.url)
    const random = seeded(11)
    let isDone = false
    let kills = 0
    async function cut() {
      while (!isDone) {
        const type = random() < 0.3 ? 'pubsub' : 'normal'
        const lines = (await admin.call('CLIENT', 'LIST', 'TYPE', type)) as string
        const ids = [...lines.matchAll(/^id=(\d+) /gm)].map(([, id = '']) => id)
        const id = ids[Math.floor(random() * ids.length)]
        const own = await admin.client('ID')
        if (id !== undefined && id !== String(own)) kills += Number(await admin.client('KILL', 'ID', id))
        for (let turns = random() * 30; turns > 0; turns -= 1) await admin.ping()
      }
    }
    const cutting = cut()
    const total = WRITERS * PER_WRITER
    const reading = buses.map((bus) => readAll(bus, 'j', total))
    const written = await Promise.all(buses.map((bus, at) => write(bus, 'j', at)))
    const read = await Promise.all(reading)
    isDone = true
    await cutting
    expect(kills).toBeGreaterThan(20)
    const { items } = await (buses[0] as Bus).journal.read('j', 0)
    const stands = items.map(({ item }) => item)
    expect(stands.length).toBe(total)
    for (const acknowledged of written)
      for (const [item, seq] of acknowledged) expect(stands[seq - 1]).toBe(item)
    for (const { seen, resets } of read) expect([seen, resets]).toEqual([stands, 0])
    console.log(`${kills} connections cut under ${total} appends`)
  },
)
