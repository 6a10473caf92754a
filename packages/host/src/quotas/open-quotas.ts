import type { House } from '../house.ts'
import { ModelFailure } from '../models/failure.ts'
import { quotas } from './quota-row.ts'
import type { DailyQuotas, Quotas, Reservation } from './quotas.ts'
import { reserve } from './reserve.ts'

/** Opens the quotas of a host. */
export function openQuotas(
  house: Pick<House, 'store' | 'clock' | 'limits' | 'log'>,
  daily: DailyQuotas,
): Quotas {
  const { store, clock, limits, log } = house
  const parts = { store, clock, daily }

  /** A place that cannot be settled stays reserved until the day ends; that spoils no answer. */
  const close = (closing: Promise<void>) =>
    closing.catch((err: unknown) => log.warn({ err }, 'a reservation could not be settled'))

  async function settleFailed(place: Reservation, error: unknown): Promise<void> {
    const cost = error instanceof ModelFailure ? error.cost : 'unknown'
    if (cost === 'nothing') await close(place.refund())
    if (cost === 'call') await close(place.settle(0))
  }

  return {
    reserve: (wanted) => reserve(parts, wanted),
    async spend(wanted, work) {
      const place = await reserve(parts, wanted)
      try {
        const done = await work()
        await close(place.settle(done.usage.totalTokens))
        return done
      } catch (error) {
        await settleFailed(place, error)
        throw error
      }
    },
    async sweep() {
      const to = clock.now() - limits.QUOTA_KEPT_MS
      const page = await store.scan(quotas, 'endsAt', { to, limit: limits.CLEAN_RECORDS_MAX })
      for (const { id, revision } of page.rows) await store.remove(quotas, id, revision)
    },
  }
}
