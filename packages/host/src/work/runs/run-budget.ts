import { Refusal, refuse } from '@svc/contract'
import type { ModelFailure } from '../../models/providers/failure.ts'
import type { Charge, QuotaUse } from '../../models/quotas/quotas.ts'
import type { WorkServices } from '../services.ts'

/**
 * Opens what a run of a session, or a stream, takes from the quotas of its user: one run, and the tokens of each time that the
 * model is asked. Errors: `APP_QUOTA_EXCEEDED`, for a stream `quota_exceeded`.
 */
export async function openRunBudget({ quotas, log }: Pick<WorkServices, 'quotas' | 'log'>, wanted: QuotaUse) {
  const charge = async (more: QuotaUse): Promise<Charge> => {
    try {
      return await quotas.charge(more)
    } catch (error) {
      const isOfSession = wanted.counted === 'runs' && error instanceof Refusal
      throw isOfSession ? refuse('APP_QUOTA_EXCEEDED', error.message, error.details) : error
    }
  }
  let charges = [await charge(wanted)]
  let charged = wanted.tokens
  let isClosed = false

  function takeAll(): readonly Charge[] {
    const open = charges
    charges = []
    charged = 0
    return open
  }
  /** A charge that cannot be settled stays until the day ends; the answer is not affected. */
  async function spend(
    close: (charge: Charge, isFirst: boolean) => Promise<void>,
    open = takeAll(),
  ): Promise<void> {
    try {
      for (const [at, charge] of open.entries()) await close(charge, at === 0)
    } catch (err) {
      log.warn({ err }, 'a charge of a run could not be settled')
    }
  }
  /** The model has answered and took so many. */
  const settle = (tokens: number): Promise<void> =>
    spend((charge, isFirst) => (isFirst ? charge.settle(tokens) : charge.refund()))
  /** Gives back what was charged and not asked for: all of it where the model never was. */
  const refund = (): Promise<void> => spend((charge) => charge.refund())

  return {
    /** Before the model is asked, which may take so many tokens. Errors: those of `openRunBudget`. */
    async ask(tokens: number): Promise<void> {
      if (tokens <= charged) return
      const more = await charge({ ...wanted, count: 0, tokens: tokens - charged })
      // The run ended meanwhile, and this charge is for nothing.
      if (isClosed) return spend((one) => one.refund(), [more])
      charges.push(more)
      charged = tokens
    },
    settle,
    /** The model failed, at a cost that its failure knows. */
    async failed({ cost }: ModelFailure): Promise<void> {
      if (cost === 'nothing') await refund()
      else if (cost === 'call') await settle(0)
      // What nobody can tell stays as it was charged.
      else await spend(async () => {})
    },
    close(): Promise<void> {
      isClosed = true
      return refund()
    },
  }
}

export type RunBudget = Awaited<ReturnType<typeof openRunBudget>>
