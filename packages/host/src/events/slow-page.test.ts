import { rounds } from '@svc/conformance/rounds'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { eventBed, page, settle, windowId } from '../testing/event-page.ts'
import { userJournal } from './events.ts'
import { itemOf } from './item.ts'

const [a, b, c] = [windowId(1), windowId(2), windowId(3)]
const CUTS = rounds(1_000)
const names = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `t${from + n}`)

verifies(
  'design.events.reader_cost',
  'a page that does not read costs its buffer, is cut after 30 s, and goes on without loss',
  async () => {
    const bed = eventBed({ READER_BUFFER_MAX_BYTES: 4_000, EVENT_READ_MAX: 70 })
    const { heard, connect } = page(bed, 'ann')
    const stalled = connect({ windows: [a], reads: false })
    const other = page(bed, 'ann')
    other.connect({ windows: [a] })
    await settle()
    stalled.take(200)
    for (const name of names(500)) {
      bed.title('ann', a, name)
      await settle(2)
      expect(stalled.waiting).toBeLessThanOrEqual(4_000)
    }
    await settle(200)
    expect(other.heard.titles).toEqual(names(500))
    await bed.clock.advance(29_000)
    expect(stalled.state).toBe('open')
    await bed.clock.advance(1_000)
    expect(stalled.state).toBe('destroyed')
    const again = connect({ windows: [a], reads: false })
    await settle(200)
    expect(again.waiting).toBeLessThanOrEqual(4_000)
    again.take()
    await settle(200)
    expect(heard).toMatchObject({ titles: names(500), resets: 0 })
  },
)

it('leaves a page alone that reads slowly', async () => {
  const bed = eventBed({ READER_BUFFER_MAX_BYTES: 4_000 })
  const { heard, connect } = page(bed, 'ann')
  const slow = connect({ windows: [a], reads: false })
  await settle()
  for (const name of names(300)) bed.title('ann', a, name)
  for (let step = 0; step < 1_000 && heard.titles.length < 300; step += 1) {
    await settle(3)
    await bed.clock.advance(20_000)
    slow.take(500)
  }
  expect(slow.state).toBe('open')
  expect(heard.titles).toEqual(names(300))
})

it('holds of what a page missed what its sink takes, and not its whole buffer', async () => {
  const bed = eventBed({ EVENT_READ_MAX: 10 })
  const { heard, connect } = page(bed, 'ann')
  const first = connect({ windows: [a] })
  await settle()
  first.cut()
  for (const name of names(500)) bed.title('ann', a, name)
  await settle()
  const again = connect({ windows: [a], reads: false })
  await settle(200)
  expect(again.waiting).toBeLessThan(2_500)
  for (let left = 100; left > 0; left -= 1) {
    again.take()
    await settle()
  }
  expect(heard.titles).toEqual(names(500))
})

it('lets events wait for others for so many turns of the event loop, and in long turns for so many ms', async () => {
  const bed = eventBed({ EVENT_GATHER_TURNS: 1_000, EVENT_GATHER_MS: 4 })
  const { heard, connect } = page(bed, 'ann')
  connect({ windows: [a] })
  await settle()
  const append = async (seq: number) => {
    const item = itemOf('title_changed', a, { revision: seq, title: `t${seq}` })
    expect(await bed.bus.journal.append(userJournal('ann'), seq, [item])).toMatchObject({ ok: true })
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
  }
  for (const seq of [1, 2, 3]) await append(seq)
  await bed.clock.advance(3)
  await settle()
  expect(heard.titles).toEqual(names(2))
  await bed.clock.advance(1)
  await settle()
  expect(heard.titles).toEqual(names(3))
})

it('writes an event that alone is over the buffer', async () => {
  const bed = eventBed({ READER_BUFFER_MAX_BYTES: 1_000 })
  const { heard, connect } = page(bed, 'ann')
  connect({ windows: [a] })
  await settle()
  bed.title('ann', a, 'x'.repeat(5_000))
  bed.title('ann', a, 'y')
  await settle()
  expect(heard.titles.map((title) => title.length)).toEqual([5_000, 1])
})

verifies.each('design.events.resume')([
  { seed: 1, readTurns: 0 },
  { seed: 2, readTurns: 1 },
  { seed: 3, readTurns: 3 },
])(
  `${CUTS} cuts anywhere lose nothing and repeat nothing (seed $seed, reads that take $readTurns turns)`,
  async ({ seed, readTurns }) => {
    const random = seeded(seed)
    const below = (n: number) => Math.floor(random() * n)
    const small = { READER_BUFFER_MAX_BYTES: 1_500, EVENT_READ_MAX: 3, EVENT_GATHER_TURNS: 1 }
    const bed = eventBed(small, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        async read(...args) {
          const batch = await bus.journal.read(...args)
          await settle(readTurns)
          return batch
        },
      },
    }))
    const { heard, connect } = page(bed, 'ann')
    const other = page(bed, 'ann')
    other.connect({ windows: [b, a] })
    const emitted: string[] = []
    const open = () => connect({ windows: [a, b], reads: random() < 0.5 })
    let connection = open()
    await settle()
    connection.take(150)
    for (let cuts = 0; cuts < CUTS; ) {
      for (let n = below(4); n > 0; n -= 1) {
        const window = [a, b, c][below(3)] ?? a
        const name = `${emitted.length} é`
        bed.title('ann', window, name)
        if (window !== c) emitted.push(name)
      }
      if (random() < 0.5) await settle(below(6))
      connection.take(below(400))
      if (random() < 0.02) await bed.clock.advance(16_000)
      if (random() < 0.5 || connection.state !== 'open') {
        connection.cut()
        cuts += 1
        await settle(below(2))
        connection = open()
      }
    }
    connection.cut()
    await settle()
    connect({ windows: [a, b] })
    await settle(5_000)
    expect(heard.resets).toBe(0)
    expect(heard.titles).toEqual(emitted)
    expect(other.heard.titles).toEqual(emitted)
  },
)
