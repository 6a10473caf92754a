import type { Clock } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bus } from '../bus/port.ts'
import { askRules } from './bus/asks.ts'
import { followRules } from './bus/follows.ts'
import type { Hold } from './bus/hold.ts'
import { journalRules } from './bus/journals.ts'
import { topicRules } from './bus/topics.ts'

/** Every rule of the bus port, for one driver. `open` gives an empty bus on `clock`; the suite closes it. */
export function busSuite(name: string, open: (clock: Clock) => Promise<Bus>): void {
  describe(`bus: ${name}`, () => {
    const hold = {} as Hold
    beforeEach(async () => {
      hold.clock = frozenClock()
      hold.bus = await open(hold.clock)
    })
    afterEach(async () => {
      await hold.bus.close()
      expect(hold.clock.timers, 'timers left behind').toBe(0)
    })

    topicRules(hold)
    journalRules(hold)
    followRules(hold)
    askRules(hold)

    it('after close refuses everything, and closing twice is harmless', async () => {
      const { bus } = hold
      await bus.close()
      await bus.close()
      const closed = { name: 'BusError', code: 'closed' }
      const deadline = hold.clock.now() + 1000
      await expect(bus.publish('t', '1')).rejects.toMatchObject(closed)
      await expect(bus.subscribe('t', () => {})).rejects.toMatchObject(closed)
      await expect(bus.journal.append('j', 1, ['1'])).rejects.toMatchObject(closed)
      await expect(bus.journal.read('j', 0)).rejects.toMatchObject(closed)
      await expect(bus.journal.trim('j', { keep: 0 })).rejects.toMatchObject(closed)
      await expect(bus.journal.drop('j')).rejects.toMatchObject(closed)
      await expect(bus.ask('h', 'k', '1', { deadline })).rejects.toMatchObject(closed)
      await expect(bus.answer('h', 'k', async () => '')).rejects.toMatchObject(closed)
      expect(() => bus.journal.follow('j', 0)).toThrow('closed')
    })
  })
}
