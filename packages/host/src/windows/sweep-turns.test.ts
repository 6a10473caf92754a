import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { type WindowRow, windows } from '../catalog/window-row.ts'
import { openEvents } from '../events/events.ts'
import { openHosts } from '../kernel/hosts.ts'
import { installedDraft, testServices } from '../testing/services.ts'

const COUNT = 1_000

/** How many turns of the event loop others have while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns += 1) await pause()
  await working
  return turns
}

/** A host with as many open windows. */
async function openMany() {
  const services = testServices()
  const { app_id } = await installedDraft(services)
  const { window_uuid } = await services.windows.open('ada', { app_id })
  const { row } = (await services.store.get(windows, window_uuid)) as { row: WindowRow }
  for (let n = 1; n < COUNT; n += 1)
    await services.store.insert(windows, `w${n}`, { ...row, user_id: `u${n % 200}` })
  return services
}

it('windows that fall silent together are marked and closed in turns of a hundred', async () => {
  const services = await openMany()
  const isOf = async (status: string) => {
    const { rows } = await services.store.scan(windows, 'byUser', { limit: COUNT })
    return rows.every((one) => one.row.status === status)
  }
  await services.clock.advance(limits.WINDOW_STALE_MS)
  expect(await turnsDuring(services.windows.sweep)).toBeGreaterThanOrEqual(COUNT / 100)
  expect(await isOf('stale')).toBe(true)
  await services.clock.advance(limits.WINDOW_SILENT_CLOSE_MS)
  expect(await turnsDuring(services.windows.sweep)).toBeGreaterThanOrEqual(COUNT / 100)
  expect(await isOf('closed')).toBe(true)
})

it('the times of windows that call together are written together, in turns of a hundred', async () => {
  const services = await openMany()
  await services.clock.advance(limits.WINDOW_STALE_MS / 2)
  const now = services.clock.now()
  const { rows } = await services.store.scan(windows, 'byUser', { limit: COUNT })
  const written = async () => {
    const { rows } = await services.store.scan(windows, 'byUser', { limit: COUNT })
    return rows.filter(({ row }) => row.last_seen_at === now).length
  }
  for (const record of rows) services.windows.seen(record, now)
  await services.clock.advance(limits.WINDOW_SEEN_GATHER_MS - 1)
  expect(await written()).toBe(0)
  const writing = async () => {
    await services.clock.advance(1)
    while ((await written()) < COUNT) await pause()
  }
  expect(await turnsDuring(writing)).toBeGreaterThanOrEqual(COUNT / 100 - 1)
})

it('journals of users who fall quiet together are trimmed in turns of a hundred', async () => {
  const clock = frozenClock()
  const [bus, store, log] = [memoryBus({ clock }), memoryStore(), pino({ level: 'silent' })]
  const hosts = openHosts({ store, clock, limits, log, newId: () => 'host_1' })
  const events = openEvents({ bus, store, clock, limits, log, hosts })
  for (let n = 0; n < COUNT; n += 1) events.emit(`u${n}`, 'title_changed', 'w', { revision: 1, title: 'T' })
  await events.flush()
  await clock.advance(limits.JOURNAL_KEPT_MS)
  expect(await turnsDuring(events.sweep)).toBeGreaterThanOrEqual(COUNT / 100)
  expect((await bus.journal.read('user:u9', 0)).items).toEqual([])
})
