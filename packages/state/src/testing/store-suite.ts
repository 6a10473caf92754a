import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../store/port.ts'
import { capRules } from './store/caps.ts'
import { crowdRules } from './store/crowds.ts'
import { type Hold, note, notes, takeHold } from './store/hold.ts'
import type { Load } from './store/load.ts'
import { orderRules } from './store/orders.ts'
import { pageRules } from './store/pages.ts'
import { recordRules } from './store/records.ts'
import { scanRules } from './store/scans.ts'
import { swapRules } from './store/swaps.ts'

/** Every rule of the store port, for one driver. `open` gives an empty store each time; the suite closes it. */
export function storeSuite(name: string, open: () => Promise<Store>, load: Load = {}): void {
  describe(`store: ${name}`, () => {
    const hold = {} as Hold
    beforeEach(async () => {
      Object.assign(hold, takeHold(await open()))
    })
    afterEach(() => hold.store.close())

    recordRules(hold)
    swapRules(hold)
    capRules(hold)
    scanRules(hold)
    pageRules(hold)
    orderRules(hold, load)
    crowdRules(hold, load)

    it('after close refuses everything, and closing twice is harmless', async () => {
      await hold.store.close()
      await hold.store.close()
      const closed = { name: 'StoreError', code: 'closed' }
      await expect(hold.store.get(notes, 'a')).rejects.toMatchObject(closed)
      await expect(hold.store.insert(notes, 'a', note())).rejects.toMatchObject(closed)
      await expect(hold.store.swap(notes, 'a', 1, note())).rejects.toMatchObject(closed)
      await expect(hold.store.remove(notes, 'a', 1)).rejects.toMatchObject(closed)
      await expect(hold.store.scan(notes, 'byOwner', { limit: 1 })).rejects.toMatchObject(closed)
    })
  })
}
