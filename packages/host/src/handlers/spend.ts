import { refuse, type Usage } from '@svc/contract'
import type { Wanted } from '../quotas/quotas.ts'
import type { CallContext } from './context.ts'

/** Does `work` within the quotas of the user and the app, for as long as the caller is there. */
export async function spend<T extends { readonly usage: Usage }>(
  { house, userId, window, install, gone }: CallContext,
  wanted: Pick<Wanted, 'counted' | 'count' | 'tokens'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = gone()
  const appId = window.row.app_id
  const appCalls = install.grants.quota_caps?.max_runs_per_day
  try {
    signal.throwIfAborted()
    return await house.quotas.spend({ ...wanted, userId, appId, appCalls }, () => work(signal))
  } catch (error) {
    throw signal.aborted && error === signal.reason ? refuse('cancelled') : error
  }
}
