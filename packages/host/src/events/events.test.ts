import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract'
import type { Bus } from '@svc/state'
import { expect, it } from 'vitest'
import { users } from '../catalog/records.ts'
import { eventBed, page, settle, windowId } from '../testing/event-page.ts'
import { openEvents } from './events.ts'
import { LOST } from './item.ts'

const a = windowId(1)
const titlesOf = async (bus: Bus, user = 'ann') =>
  (await bus.journal.read(`user:${user}`, 0)).items.map(({ item }) => JSON.parse(item).title)

/** A bus whose appends fail when told, before or after the items stand. */
function brittle(bus: Bus) {
  const fail = { before: 0, after: 0 }
  const journal: Bus['journal'] = {
    ...bus.journal,
    async append(name, seq, items) {
      if (fail.before > 0) {
        fail.before -= 1
        throw new Error('the line broke on the way')
      }
      const answer = await bus.journal.append(name, seq, items)
      if (fail.after > 0) {
        fail.after -= 1
        throw new Error('the line broke on the way back')
      }
      return answer
    },
  }
  return { bus: { ...bus, journal }, fail }
}

it('writes what several processes emit at once, each in its own order', async () => {
  const bed = eventBed()
  const writers = [bed.events, openEvents(bed.deps), openEvents(bed.deps)]
  for (let n = 0; n < 50; n += 1) {
    for (const [w, writer] of writers.entries())
      writer.emit('ann', 'title_changed', windowId(w), { revision: n + 1, title: `${w}:${n}` })
    if (n % 3 === 0) await settle(1)
  }
  await Promise.all(writers.map((writer) => writer.flush()))
  const titles = await titlesOf(bed.bus)
  expect(titles).toHaveLength(150)
  for (const w of [0, 1, 2]) {
    const own = titles.filter((title: string) => title.startsWith(`${w}:`))
    expect(own).toEqual(Array.from({ length: 50 }, (_, n) => `${w}:${n}`))
  }
})

it.each([
  { before: 1, after: 0 },
  { before: 0, after: 1 },
  { before: 2, after: 2 },
])(
  'tries again each second when an append fails: $before before and $after after it stood',
  async (fails) => {
    let fail = { before: 0, after: 0 }
    const bed = eventBed({}, (bus) => {
      const line = brittle(bus)
      fail = line.fail
      return line.bus
    })
    bed.title('ann', a, 't0')
    await bed.events.flush()
    Object.assign(fail, fails)
    bed.title('ann', a, 't1')
    bed.title('ann', a, 't2')
    await settle(2)
    expect(bed.clock.timers).toBe(1)
    bed.title('ann', a, 't3')
    const flushed = bed.events.flush()
    await settle(2)
    expect(await titlesOf(bed.bus)).not.toContain('t3')
    await bed.clock.advance(5_000)
    await flushed
    expect(await titlesOf(bed.bus)).toEqual(['t0', 't1', 't2', 't3'])
    expect(bed.clock.timers).toBe(0)
  },
)

it('does not mistake what somebody else wrote in its place for its own', async () => {
  let fail = { before: 0, after: 0 }
  const bed = eventBed({}, (bus) => {
    const line = brittle(bus)
    fail = line.fail
    return line.bus
  })
  fail.before = 1
  bed.title('ann', a, 'mine')
  await settle(2)
  await bed.bus.journal.append('user:ann', 1, ['{"title":"theirs"}'])
  await bed.clock.advance(1_000)
  await bed.events.flush()
  expect(await titlesOf(bed.bus)).toEqual(['theirs', 'mine'])
})

it('resets the pages when more had to wait than a journal keeps', async () => {
  let fail = { before: 0, after: 0 }
  const bed = eventBed({ JOURNAL_KEPT_EVENTS: 10 }, (bus) => {
    const line = brittle(bus)
    fail = line.fail
    return line.bus
  })
  const { heard, connect } = page(bed, 'ann')
  connect({ windows: [a] })
  await settle()
  fail.before = 1
  for (let n = 0; n < 12; n += 1) bed.title('ann', a, `t${n}`)
  await settle()
  await bed.clock.advance(1_000)
  await settle()
  expect(heard.resets).toBe(1)
  expect(heard.titles).toEqual(['t10', 't11'])
  expect((await bed.bus.journal.read('user:ann', 0)).items[0]?.item).toBe(LOST)
})

verifies('decision.events.kept', 'a journal keeps 10 000 events, for five minutes at least', async () => {
  const bed = eventBed()
  const fill = async (count: number) => {
    for (let n = 0; n < count; n += 1) bed.title('ann', a, 'x')
    await bed.events.flush()
  }
  const kept = async () => (await bed.bus.journal.read('user:ann', 0)).items.length
  for (let part = 0; part < 3; part += 1) await fill(5_000)
  expect(await kept()).toBe(15_000)
  await bed.clock.advance(300_000)
  await fill(1_000)
  expect(await kept()).toBe(10_000)
})

verifies(
  'kept.events',
  'the events of who never comes back go though the host was started again',
  async () => {
    const bed = eventBed()
    await bed.store.insert(users, 'ann', { created_at: 1 })
    bed.title('ann', a, 't0')
    await bed.events.close()
    const kept = async () => (await bed.bus.journal.read('user:ann', 0)).items.length
    const again = openEvents(bed.deps)
    await again.sweep()
    expect(await kept()).toBe(1)
    await bed.clock.advance(defaults.JOURNAL_KEPT_MS)
    await again.sweep()
    expect(await kept()).toBe(0)
    // What a host wrote that closed meanwhile is seen on the next day.
    const other = openEvents(bed.deps)
    other.emit('ann', 'title_changed', a, { revision: 9, title: 't1' })
    await other.close()
    await bed.clock.advance(defaults.JOURNALS_LOOKED_MS - 1)
    await again.sweep()
    expect(await kept()).toBe(1)
    await bed.clock.advance(1)
    await again.sweep()
    expect(await kept()).toBe(0)
  },
)

it('a journal has a bound in bytes: the oldest go though they are young, and who missed them is reset', async () => {
  const bed = eventBed({ JOURNAL_KEPT_BYTES: 100_000 })
  const { heard, connect } = page(bed, 'ann')
  const first = connect({ windows: [a] })
  bed.title('ann', a, 't0')
  await settle()
  first.cut()
  for (let n = 0; n < 500; n += 1) {
    bed.title('ann', a, 'é'.repeat(500))
    if (n % 10 === 0) await bed.events.flush()
  }
  await bed.events.flush()
  const { items } = await bed.bus.journal.read('user:ann', 0)
  const bytes = items.reduce((sum, { item }) => sum + Buffer.byteLength(item), 0)
  // A trim may be due by a tenth of what is kept.
  expect(bytes).toBeLessThan(110_000 + 10 * 1_200)
  expect(bytes).toBeGreaterThan(80_000)
  connect({ windows: [a] })
  await settle()
  expect(heard.resets).toBe(1)
})

it('what waits for a journal that cannot be written is bounded in bytes', async () => {
  let fail = { before: 0, after: 0 }
  const bed = eventBed({ JOURNAL_KEPT_BYTES: 10_000 }, (bus) => {
    const line = brittle(bus)
    fail = line.fail
    return line.bus
  })
  fail.before = 1
  bed.title('ann', a, 'on its way')
  await settle()
  for (let n = 0; n < 100; n += 1) bed.title('ann', a, 'x'.repeat(1_000))
  await bed.clock.advance(1_000)
  await bed.events.flush()
  const { items, tail, reset } = await bed.bus.journal.read('user:ann', 0)
  expect(tail).toBeLessThan(15)
  expect(items.length).toBeLessThan(10)
  expect(reset).toBe(true)
})

it('journals of quiet users age too, and go on where they were', async () => {
  const bed = eventBed()
  const { heard, connect } = page(bed, 'ann')
  connect({ windows: [a] })
  bed.title('ann', a, 't1')
  bed.title('bob', windowId(2), 'other')
  await settle()
  await bed.clock.advance(299_999)
  await bed.events.sweep()
  expect(await titlesOf(bed.bus)).toEqual(['t1'])
  bed.title('bob', windowId(2), 'again')
  await settle()
  await bed.clock.advance(1)
  await bed.events.sweep()
  expect(await titlesOf(bed.bus)).toEqual([])
  expect(await titlesOf(bed.bus, 'bob')).toEqual(['other', 'again'])
  bed.title('ann', a, 't2')
  await settle()
  expect([heard.titles, heard.resets]).toEqual([['t1', 't2'], 0])
})

it('lets what was emitted go first: until it is written, or cannot be, or for EVENT_LEAD_MS', async () => {
  const answers: PromiseWithResolvers<void>[] = []
  const bed = eventBed({}, (bus) => ({
    ...bus,
    journal: {
      ...bus.journal,
      async append(...appended) {
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        await answer.promise
        return bus.journal.append(...appended)
      },
    },
  }))
  const led: string[] = []
  const lead = async (name: string) => {
    void bed.events.lead('ann').then(() => led.push(name))
    await settle(2)
  }
  await lead('nothing waits')
  bed.title('ann', a, 't1')
  await lead('written')
  expect(led).toEqual(['nothing waits'])
  answers[0]?.resolve()
  await settle(2)
  expect(led.slice(1)).toEqual(['written'])
  bed.title('ann', a, 't2')
  await lead('refused')
  answers[1]?.reject(new Error('the line broke'))
  await settle(2)
  expect(led.slice(2)).toEqual(['refused'])
  await bed.clock.advance(defaults.EVENT_RETRY_MS)
  await lead('too slow')
  await bed.clock.advance(defaults.EVENT_LEAD_MS - 1)
  expect(led.slice(3)).toEqual([])
  await bed.clock.advance(1)
  await settle(2)
  expect(led.slice(3)).toEqual(['too slow'])
  answers[2]?.resolve()
  await bed.events.flush()
  expect(bed.clock.timers).toBe(0)
})

it('has one timer for those who let the same events go first in the same millisecond', async () => {
  const bed = eventBed({}, (bus) => ({
    ...bus,
    journal: { ...bus.journal, append: () => new Promise(() => {}) },
  }))
  bed.title('ann', a, 't1')
  const led: string[] = []
  const lead = (name: string) => bed.events.lead('ann').then(() => led.push(name))
  void lead('first')
  void lead('second')
  expect(bed.clock.timers).toBe(1)
  await bed.clock.advance(1)
  void lead('a millisecond later')
  expect(bed.clock.timers).toBe(2)
  await bed.clock.advance(defaults.EVENT_LEAD_MS - 1)
  await settle(2)
  expect(led).toEqual(['first', 'second'])
  await bed.clock.advance(1)
  await settle(2)
  expect(led).toEqual(['first', 'second', 'a millisecond later'])
})

it('closes: what waits is written, what comes later is dropped, no timer stays', async () => {
  const bed = eventBed()
  bed.title('ann', a, 't1')
  await bed.events.close()
  bed.title('ann', a, 't2')
  await settle()
  await bed.events.close()
  expect(await titlesOf(bed.bus)).toEqual(['t1'])
  expect(bed.clock.timers).toBe(0)
})

it('closes while its journal cannot be written', async () => {
  const bed = eventBed()
  bed.title('ann', a, 't1')
  await bed.bus.close()
  await settle(2)
  const flushed = bed.events.flush()
  await bed.events.close()
  await flushed
  expect(bed.clock.timers).toBe(0)
})
