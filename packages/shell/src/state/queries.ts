import { BridgeError } from '@svc/bridge'
import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'

/** Events come in swarms: a list is read for them at most once in this time. */
export const READ_GAP_MS = 400

/**
 * Makes the cache of what the host told and of what it was asked to do. Nothing leaves it by time alone: why something
 * was not done stays until it is tried again. `onSignedOut`: the host does not know the user any more.
 */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof BridgeError && error.code === 'invalid_token') onSignedOut()
  }
  // The host may be on this machine: whether the browser has a network says nothing of it.
  const always = { networkMode: 'always', retry: false, gcTime: Number.POSITIVE_INFINITY } as const
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: always, mutations: always },
  })
}

/** Has a list read now; where it is being read, once more after that: what is asked about may have come too late for it. */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const isUnderWay = queries.isFetching({ queryKey }) > 0
  await queries.invalidateQueries({ queryKey }, { cancelRefetch: false })
  if (isUnderWay) await queries.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** Says of every list that the host is gone, until it is read the next time. */
export function markLost(queries: QueryClient): void {
  const error = new Error('the host is gone')
  for (const query of queries.getQueryCache().getAll()) query.setState({ status: 'error', error })
}
