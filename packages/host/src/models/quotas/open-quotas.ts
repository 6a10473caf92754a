import { each, eachSettled } from '@svc/state'
import { ModelFailure } from '../providers/failure.ts'
import type { ModelServices } from '../services.ts'
import { charge } from './charge.ts'
import { quotas } from './quota-row.ts'
import type { Charge, DailyQuotas, Quotas } from './quotas.ts'

/** Opens the quotas of a host. */
export function openQuotas(
  services: Pick<ModelServices, 'store' | 'clock' | 'limits' | 'log'>,
  daily: DailyQuotas,
): Quotas {
  const { store, clock, limits, log } = services
  const parts = { store, clock, daily }

  /** A charge that cannot be settled stands until the day ends; that spoils no answer. */
  const close = (closing: Promise<void>) =>
    closing.catch((err: unknown) => log.warn({ err }, 'a charge could not be settled'))

  async function settleFailed(charged: Charge, error: unknown): Promise<void> {
    const cost = error instanceof ModelFailure ? error.cost : 'unknown'
    if (cost === 'nothing') await close(charged.refund())
    if (cost === 'call') await close(charged.settle(0))
  }

  return {
    charge: (wanted) => charge(parts, wanted),
    async spend(wanted, work) {
      const charged = await charge(parts, wanted)
      try {
        const done = await work()
        await close(charged.settle(done.usage.totalTokens))
        return done
      } catch (error) {
        await settleFailed(charged, error)
        throw error
      }
    },
    async sweep() {
      const to = clock.now() - limits.QUOTA_KEPT_MS
      await eachSettled(
        each(store, quotas, 'endsAt', { to, limit: limits.CLEAN_RECORDS_MAX }),
        ({ id, revision }) => store.remove(quotas, id, revision),
      )
    },
  }
}
