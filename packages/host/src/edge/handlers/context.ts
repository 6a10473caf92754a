import { refuse } from '@svc/contract'
import type { InstallRow, VersionRow } from '../../catalog/records.ts'
import type { WindowRecord } from '../../catalog/window-row.ts'
import type { Completer } from '../../models/providers/complete.ts'
import type { Services } from '../services.ts'

/** What a handler knows of the call besides its arguments. */
export interface CallContext {
  readonly services: Services
  readonly userId: string
  readonly window: WindowRecord
  readonly version: VersionRow
  readonly install: InstallRow
  /** Where the host's paths begin, as the call came to it: its origin and the base path. */
  readonly origin: string
  /** Bytes of the body that the call came in: no argument is larger. */
  readonly bodyBytes: number
  /** A signal that fires when the caller is no longer there; made on demand. */
  gone(): AbortSignal
}

/** Whose quotas a call is charged to. */
export const spenderOf = ({ services, userId, window, install, gone }: CallContext): Completer => ({
  services,
  userId,
  install,
  gone,
  appId: window.row.app_id,
})

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
