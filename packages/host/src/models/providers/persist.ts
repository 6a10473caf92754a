import type { Limits } from '@svc/contract'
import { type Cost, dearer, failureOf, ModelFailure } from './failure.ts'
import type { Watch } from './watch.ts'

/**
 * Asks a model until it begins to answer: a failure that may pass is tried again `MODEL_RETRIES` times.
 * `spent` is what was asked before and may have cost. Rejects with a `ModelFailure` that counts every try, or with the
 * reason of whoever gave the request up.
 */
export async function persist<T>(
  model: string,
  limits: Pick<Limits, 'MODEL_RETRIES' | 'MODEL_RETRY_MS'>,
  watch: Watch,
  ask: () => Promise<T>,
  spent: Cost = 'nothing',
): Promise<T> {
  let cost = spent
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (watch.signal.aborted) throw watch.signal.reason
      const failure = failureOf(model, error)
      cost = dearer(cost, failure.cost)
      if (!failure.retriable || tries >= limits.MODEL_RETRIES)
        throw new ModelFailure(model, failure.reason, failure.details, cost)
      await watch.pause(limits.MODEL_RETRY_MS * 2 ** tries)
    }
  }
}
