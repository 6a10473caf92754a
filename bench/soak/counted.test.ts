import { memoryBlobs, memoryBus, memoryStore } from '@svc/host'
import { collection } from '@svc/state'
import { expect, it } from 'vitest'
import { countedPorts } from './counted.ts'

const notes = collection({ name: 'notes', row: {} as { readonly n: number }, indexes: {} })

it('counts rows, journals with their items, blobs and timers, and what of them went', async () => {
  const fired: (() => void)[] = []
  const base = {
    now: () => 0,
    setTimer(fn: () => void) {
      fired.push(fn)
      return () => {}
    },
  }
  const { store, bus, blobs, clock, counts } = countedPorts(
    { store: memoryStore(), bus: memoryBus({ clock: base }), blobs: memoryBlobs() },
    base,
  )
  const before = await counts()
  const inserted = await store.insert(notes, 'a', { n: 1 })
  await store.insert(notes, 'a', { n: 2 })
  await store.insert(notes, 'b', { n: 2 })
  await bus.journal.append('run:1', 1, ['x', 'y', 'z'])
  await bus.journal.append('run:2', 1, ['x'])
  await bus.journal.trim('run:1', { keep: 1 })
  const digest = await blobs.put(new Uint8Array(3))
  const stop = clock.setTimer(() => {}, 1)
  clock.setTimer(() => {}, 2)
  expect(before).toEqual({ timers: 0, blobs: 0 })
  expect(await counts()).toEqual({
    timers: 2,
    blobs: 1,
    'rows notes': 2,
    'journals run': 2,
    'items run': 2,
  })

  if (inserted.ok) await store.remove(notes, 'a', inserted.record.revision)
  await bus.journal.drop('run:2')
  await blobs.remove(digest)
  stop()
  stop()
  fired.at(-1)?.()
  expect(await counts()).toEqual({ timers: 0, blobs: 0, 'rows notes': 1, 'journals run': 1, 'items run': 1 })
})
