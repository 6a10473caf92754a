import { refuse } from '@svc/contract'
import type { CallContext } from './context.ts'

/** Does `work` for as long as the caller is there: nobody reads the answer of one who is gone, and it is not a fault. */
export async function whileThere<T>(
  { gone }: Pick<CallContext, 'gone'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = gone()
  try {
    signal.throwIfAborted()
    return await work(signal)
  } catch (error) {
    throw signal.aborted && error === signal.reason ? refuse('cancelled') : error
  }
}
