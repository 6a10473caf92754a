import type { House } from '../house.ts'
import { items } from '../records.ts'

/**
 * Makes tombstones of values that ran out, so that they take no room; their generations go on (decision 29).
 * Readers see no difference: they judge by the clock. A value written in between stays.
 */
export async function buryExpired({ clock, limits, store }: Pick<House, 'clock' | 'limits' | 'store'>) {
  const now = clock.now()
  const page = await store.scan(items, 'expiresAt', { to: now, limit: limits.CLEAN_RECORDS_MAX })
  for (const { id, revision, row } of page.rows)
    await store.swap(items, id, revision, {
      ...row,
      value: null,
      etag: '',
      size_bytes: 0,
      metadata: null,
      tags: null,
      expires_at: null,
      updated_at: now,
    })
}
