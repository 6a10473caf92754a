import { verifies } from '@svc/conformance/verifies'
import type { EventPayloads } from '@svc/contract'
import { expect, it } from 'vitest'
import { eventBed, silent, windowId } from '../testing/event-page.ts'
import { openEvents } from './events.ts'
import { itemOf } from './item.ts'
import { openOrder } from './order.ts'

const [w, other] = [windowId(1), windowId(2)]
const title = (revision: number, window = w) =>
  itemOf('title_changed', window, { revision, title: `t${revision}` })
const close = (revision: number) => itemOf('close_view', w, { revision, reason: null })
const size = (revision: number) => itemOf('geometry_changed', w, { revision, geometry: { w: 1, h: 1, z: 1 } })
function job(state: string, job_id = 'tjob_1', seq = 0) {
  const about: EventPayloads['tool_job'] = {
    job_id,
    tool_id: '","state":"',
    state,
    seq,
    event: state,
    terminal: false,
  }
  return itemOf('tool_job', w, about)
}
const card = itemOf('chat_artifact', w, { artifact_id: 'a', artifact: {} })

it.each<[what: string, written: string[], items: string[], left: string[]]>([
  ['what follows', [title(1)], [title(2)], [title(2)]],
  ['no title that is older than a written one', [title(6)], [title(5)], []],
  ['none twice', [title(5)], [title(5)], []],
  ['none that is older than another of them', [], [title(6), title(5), title(7)], [title(6), title(7)]],
  ['that of another window', [title(6)], [title(5, other)], [title(5, other)]],
  ['a size that is older than a title', [title(6)], [size(5)], [size(5)]],
  ['nothing of a window behind its end', [close(7)], [title(6), size(5), close(7)], []],
  [
    'a job in its order',
    [job('queued')],
    [job('running'), job('succeeded')],
    [job('running'), job('succeeded')],
  ],
  ['no queued behind an end', [job('failed')], [job('queued'), job('running')], []],
  [
    'each of its progress',
    [job('running', 'tjob_1', 1)],
    [job('running', 'tjob_1', 2)],
    [job('running', 'tjob_1', 2)],
  ],
  ['another job', [job('succeeded')], [job('queued', 'tjob_2')], [job('queued', 'tjob_2')]],
  ['what has no order', [title(1)], [card, card], [card, card]],
])('leaves %s', (_, written, items, left) => {
  const order = openOrder()
  order.note(written)
  expect(order.current(items)).toEqual(left)
})

it('keeps in mind only so many', () => {
  const order = openOrder()
  order.note([title(2), ...Array.from({ length: 1_000 }, (_, n) => title(2, windowId(n + 2)))])
  expect(order.current([title(1), title(1, windowId(9))])).toEqual([title(1)])
})

/** Two hosts over one state; `late` holds the next write of the first until it is called. */
function twoHosts() {
  const hold = { next: null as Promise<void> | null }
  const bed = eventBed()
  const append: typeof bed.bus.journal.append = async (...given) => {
    const held = hold.next
    hold.next = null
    await held
    return bed.bus.journal.append(...given)
  }
  const bus = { ...bed.bus, journal: { ...bed.bus.journal, append } }
  const [a, b] = [openEvents({ ...bed.deps, bus }), bed.events]
  const itemsOf = async () => (await bed.bus.journal.read('user:ann', 0)).items.map(({ item }) => item)
  function late() {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold.next = promise
    return resolve
  }
  return { ...bed, a, b, late, itemsOf, log: silent }
}

verifies(
  'events.order',
  'what one host says late of a window is left out where another has said newer',
  async () => {
    const { a, b, late, itemsOf } = twoHosts()
    a.emit('ann', 'title_changed', w, { revision: 1, title: 't1' })
    await a.told('ann')
    const go = late()
    a.emit('ann', 'title_changed', w, { revision: 2, title: 't2' })
    a.emit('ann', 'chat_artifact', w, { artifact_id: 'a', artifact: {} })
    b.emit('ann', 'title_changed', w, { revision: 3, title: 't3' })
    await b.told('ann')
    go()
    await a.told('ann')
    expect(await itemsOf()).toEqual([title(1), title(3), card])
  },
)

verifies('events.order', 'also where the older one is said behind something else of that host', async () => {
  const { a, b, itemsOf } = twoHosts()
  b.emit('ann', 'title_changed', w, { revision: 3, title: 't3' })
  await b.told('ann')
  a.emit('ann', 'title_changed', other, { revision: 1, title: 't1' })
  await a.told('ann')
  a.emit('ann', 'title_changed', w, { revision: 2, title: 't2' })
  await a.told('ann')
  expect(await itemsOf()).toEqual([title(3), title(1, other)])
})

verifies('events.order', 'a host that was away for 10 000 events of others says nothing old', async () => {
  const { a, b, late, itemsOf, clock } = twoHosts()
  const go = late()
  a.emit('ann', 'title_changed', w, { revision: 1, title: 't1' })
  b.emit('ann', 'title_changed', w, { revision: 2, title: 't2' })
  await clock.advance(1_000)
  for (let n = 0; n < 5_000; n += 1)
    b.emit('ann', 'chat_artifact', other, { artifact_id: `${n}`, artifact: {} })
  await b.told('ann')
  go()
  await a.flush()
  expect((await itemsOf()).filter((item) => item.includes(w))).toEqual([title(2)])
})

verifies('events.order', 'a host says nothing old after the journal began anew', async () => {
  const { a, b, bus, itemsOf } = twoHosts()
  for (let n = 1; n <= 5; n += 1) a.emit('ann', 'title_changed', other, { revision: n, title: `t${n}` })
  await a.told('ann')
  a.emit('ann', 'title_changed', w, { revision: 7, title: 't7' })
  await a.told('ann')
  await bus.journal.drop('user:ann')
  b.emit('ann', 'title_changed', w, { revision: 9, title: 't9' })
  await b.told('ann')
  a.emit('ann', 'title_changed', w, { revision: 8, title: 't8' })
  await a.told('ann')
  expect((await itemsOf()).filter((item) => item.includes(w))).toEqual([title(9)])
})
