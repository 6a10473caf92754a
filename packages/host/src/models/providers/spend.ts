import { refuse, type Usage } from '@svc/contract'
import type { InstallRow } from '../../catalog/records.ts'
import type { QuotaUse } from '../quotas/quotas.ts'
import type { ModelServices } from '../services.ts'

/** Whose quotas are charged, and for as long as what. */
export interface Spender {
  readonly services: Pick<ModelServices, 'quotas'>
  readonly userId: string
  readonly appId: string
  readonly install: InstallRow
  /** A signal that fires when nobody waits any more; made on demand. */
  gone(): AbortSignal
}

/** Does `work` within the quotas of the user and the app, for as long as the caller is there. */
export async function spend<T extends { readonly usage: Usage }>(
  { services, userId, appId, install, gone }: Spender,
  wanted: Pick<QuotaUse, 'counted' | 'count' | 'tokens'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = gone()
  const appCalls = install.grants.quota_caps?.max_runs_per_day
  try {
    signal.throwIfAborted()
    return await services.quotas.spend({ ...wanted, userId, appId, appCalls }, () => work(signal))
  } catch (error) {
    throw signal.aborted && error === signal.reason ? refuse('cancelled') : error
  }
}
