import { cites } from '@svc/conformance/cites'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { busSuite } from '../../testing/bus-suite.ts'
import { memoryBus } from './memory.ts'

cites('design.bus.journal_fenced', 'design.bus.read', 'design.bus.no_host')
busSuite('memory', async (clock) => memoryBus({ clock }))

it('a memory bus has another epoch after a restart', async () => {
  const clock = frozenClock()
  const before = memoryBus({ clock })
  await clock.advance(1)
  expect(memoryBus({ clock }).epoch).not.toBe(before.epoch)
})

it('a memory bus hands on what a subscriber throws', async () => {
  const errors: unknown[] = []
  const bus = memoryBus({ clock: frozenClock(), onError: (error) => errors.push(error) })
  const heard: string[] = []
  await bus.subscribe('t', () => {
    throw new Error('broken')
  })
  await bus.subscribe('t', (message) => heard.push(message))
  await bus.publish('t', 'm')
  await bus.close()
  expect(errors).toEqual([new Error('broken')])
  expect(heard).toEqual(['m'])
})
