import { each, eachSettled } from '@svc/state'
import { items } from '../../catalog/records.ts'
import type { KernelServices } from '../../kernel/services.ts'
import { removeItem } from './write-item.ts'

/**
 * Removes values that ran out, and what writes that broke off left; generations go on. Readers see no difference: they
 * judge by the clock. A value written in between stays.
 */
export async function dropExpired({
  clock,
  limits,
  store,
}: Pick<KernelServices, 'clock' | 'limits' | 'store'>) {
  const now = clock.now()
  const limit = limits.CLEAN_RECORDS_MAX
  await eachSettled(each(store, items, 'expiresAt', { to: now, limit }), (record) =>
    removeItem(store, record, record.row.generation),
  )
  await eachSettled(
    each(store, items, 'begunAt', { to: now - limits.CLEAN_INTERVAL_MS, limit }),
    ({ id, revision }) => store.remove(items, id, revision),
  )
}
