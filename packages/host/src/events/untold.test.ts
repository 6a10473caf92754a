import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract'
import type { Bus } from '@svc/state'
import { each } from '@svc/state'
import { expect, it } from 'vitest'
import { hosts, openHosts } from '../kernel/hosts.ts'
import { eventBed, page, settle, windowId } from '../testing/event-page.ts'
import { openEvents } from './events.ts'
import { untold } from './untold.ts'

const a = windowId(1)

/** A bus that takes no items while it is away. */
function leaving() {
  const line = { isAway: false }
  const wrap = (bus: Bus): Bus => ({
    ...bus,
    journal: {
      ...bus.journal,
      append: (...given) =>
        line.isAway ? Promise.reject(new Error('it is away')) : bus.journal.append(...given),
    },
  })
  return { line, wrap }
}

async function notedOf(bed: ReturnType<typeof eventBed>): Promise<string[]> {
  const found: string[] = []
  for await (const { row } of each(bed.store, untold, 'byUser', { limit: 10 })) found.push(row.user_id)
  return found
}

/** Another host of the same state. */
function otherHost(bed: ReturnType<typeof eventBed>) {
  return openEvents({ ...bed.deps, hosts: openHosts({ ...bed.deps, newId: () => 'host_2' }) })
}

verifies('events.acknowledged', 'an event is in the journal when its change is acknowledged', async () => {
  const bed = eventBed()
  bed.title('ann', a, 't1')
  await bed.events.told('ann')
  expect((await bed.bus.journal.read('user:ann', 0)).items).toHaveLength(1)
  expect(await notedOf(bed)).toEqual([])
  await bed.events.told('bob')
})

verifies(
  'events.acknowledged',
  'where it cannot be written and its host dies, the pages of the user read anew',
  async () => {
    const { line, wrap } = leaving()
    const bed = eventBed({}, wrap)
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    line.isAway = true
    bed.title('ann', a, 't1')
    const told = bed.events.told('ann')
    await settle()
    await bed.clock.advance(defaults.EVENT_LEAD_MS)
    await told
    expect(await notedOf(bed)).toEqual(['ann'])
    line.isAway = false
    await otherHost(bed).sweep()
    expect([heard.resets, await notedOf(bed)]).toEqual([0, ['ann']])
    // It dies here: another host notes that, and nothing of its memory is left.
    const died = await bed.store.get(hosts, 'host_1')
    if (!died) throw new Error('it has never beaten')
    await bed.store.swap(hosts, died.id, died.revision, { epoch: died.row.epoch + 1, beat_at: 0 })
    const other = otherHost(bed)
    await other.sweep()
    await settle()
    expect(heard.resets).toBe(1)
    expect(await notedOf(bed)).toEqual([])
    await other.sweep()
    await settle()
    expect(heard.resets).toBe(1)
  },
)

it('waits for a journal only until it is known that it cannot be written, and takes the note back', async () => {
  const { line, wrap } = leaving()
  const bed = eventBed({}, wrap)
  line.isAway = true
  bed.title('ann', a, 't1')
  const first = bed.events.told('ann')
  await settle()
  await bed.clock.advance(defaults.EVENT_LEAD_MS)
  await first
  // Acknowledged without a wait: the clock stands still.
  bed.title('ann', a, 't2')
  await bed.events.told('ann')
  expect(await notedOf(bed)).toEqual(['ann'])
  line.isAway = false
  await bed.clock.advance(defaults.EVENT_RETRY_MS)
  await bed.events.flush()
  await bed.events.sweep()
  expect(await notedOf(bed)).toEqual([])
  expect((await bed.bus.journal.read('user:ann', 0)).items).toHaveLength(2)
})

it('forgets the note with its user', async () => {
  const { line, wrap } = leaving()
  const bed = eventBed({}, wrap)
  bed.title('ann', a, 't0')
  await bed.events.told('ann')
  line.isAway = true
  bed.title('ann', a, 't1')
  const told = bed.events.told('ann')
  await settle()
  await bed.clock.advance(defaults.EVENT_LEAD_MS)
  await told
  line.isAway = false
  await bed.clock.advance(defaults.EVENT_RETRY_MS)
  await bed.events.forget('ann')
  expect(await notedOf(bed)).toEqual([])
})
