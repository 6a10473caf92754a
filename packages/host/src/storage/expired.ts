import { eachDue } from '@svc/state'
import type { House } from '../house.ts'
import { type ItemRow, items } from '../records.ts'
import { removeItem } from './write-item.ts'

/**
 * Removes values that ran out, and what writes that broke off left; generations go on. Readers see no difference: they
 * judge by the clock. A value written in between stays.
 */
export async function dropExpired({ clock, limits, store }: Pick<House, 'clock' | 'limits' | 'store'>) {
  const now = clock.now()
  const limit = limits.CLEAN_RECORDS_MAX
  await eachDue<ItemRow>(
    (after) => store.scan(items, 'expiresAt', { to: now, after, limit }),
    (record) => removeItem(store, record, record.row.generation),
  )
  await eachDue<ItemRow>(
    (after) => store.scan(items, 'begunAt', { to: now - limits.CLEAN_INTERVAL_MS, after, limit }),
    ({ id, revision }) => store.remove(items, id, revision),
  )
}
