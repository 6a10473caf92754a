import type { Usage } from '@svc/contract'
import { each, eachSettled } from '@svc/state'
import { ModelFailure } from '../providers/failure.ts'
import type { ModelServices } from '../services.ts'
import { charge } from './charge.ts'
import { quotas } from './quota-row.ts'

/** What a user may use in a day (UTC). */
export interface DailyQuotas {
  /** Completions of `llm.complete`, `llm.embed` and `llm.stream`. */
  readonly completions_per_day: number
  /** Runs of sessions. */
  readonly runs_per_day: number
  /** Tokens that models read and write. */
  readonly tokens_per_day: number
  /** Images that models draw. */
  readonly images_per_day: number
  /** Searches of `web.search`. */
  readonly searches_per_day: number
  /** Pages of `web.fetch` and of the tool `web_fetch`. */
  readonly fetches_per_day: number
  /** Searches and pages together of one app. */
  readonly web_calls_per_app_per_day: number
}

/** What is counted by number. */
export type QuotaKind = 'completions' | 'runs' | 'images' | 'searches' | 'fetches'

/** What somebody is about to use. */
export interface QuotaUse {
  readonly userId: string
  readonly appId: string
  readonly counted: QuotaKind
  /** How many of it. Default 1; 0: more tokens for what was counted before. */
  readonly count?: number
  /** The most tokens that it may take; 0 for what no model does. */
  readonly tokens: number
  /** Completions and runs of this app that the user granted a day; left out, the user's quotas alone hold. */
  readonly appCalls?: number | undefined
}

/** What was taken from the quotas of the day that it was asked for on; the first of the two methods counts. */
export interface Charge {
  /** It is over and took this many tokens. */
  settle(tokens: number): Promise<void>
  /** Nothing reached a provider: it is as if it had not been. */
  refund(): Promise<void>
}

/** Opens the quotas of a host. */
export function openQuotas(
  services: Pick<ModelServices, 'store' | 'clock' | 'limits' | 'log'>,
  daily: DailyQuotas,
) {
  const { store, clock, limits, log } = services
  const parts = { store, clock, daily }

  /** A charge that cannot be settled stays until the day ends; the answer is not affected. */
  const close = (closing: Promise<void>) =>
    closing.catch((err: unknown) => log.warn({ err }, 'a charge could not be settled'))

  async function settleFailed(charged: Charge, error: unknown): Promise<void> {
    const cost = error instanceof ModelFailure ? error.cost : 'unknown'
    if (cost === 'nothing') await close(charged.refund())
    if (cost === 'call') await close(charged.settle(0))
  }

  return {
    /** Takes what is wanted, or refuses: of any number at once, no more pass than may. Errors: `quota_exceeded`. */
    charge: (wanted: QuotaUse) => charge(parts, wanted),
    /**
     * Charges for `work`, does it, and settles by what `work` used, or by what its `ModelFailure` may have cost.
     * What nobody can tell stays as it was charged. Errors: `quota_exceeded`; those of `work`.
     */
    async spend<T extends { readonly usage: Usage }>(wanted: QuotaUse, work: () => Promise<T>) {
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
    /** Forgets days that ended `QUOTA_KEPT_MS` ago. */
    async sweep() {
      const to = clock.now() - limits.QUOTA_KEPT_MS
      await eachSettled(
        each(store, quotas, 'endsAt', { to, limit: limits.CLEAN_RECORDS_MAX }),
        ({ id, revision }) => store.remove(quotas, id, revision),
      )
    },
  }
}

/** The quotas of users by day. */
export type Quotas = ReturnType<typeof openQuotas>
