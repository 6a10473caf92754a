import { useDidUpdate } from '@mantine/hooks'
import { SESSION_LIST_MAX } from '@svc/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDesk, useDeskState, useIsIn } from '../components/use-desk.ts'
import { useNews, useReadSoon } from '../components/use-list.ts'
import { appsOf } from '../state/apps.ts'
import { readAgain } from '../state/queries.ts'
import { isOpen } from '../state/session.ts'
import { soonestEnd } from '../state/session-times.ts'
import { sessionNews, takeSessions } from '../state/sessions.ts'

/** A session of another page tells nothing here: the open panel asks this often. */
export const READ_SESSIONS_MS = 10_000
/** An end that the host told in whole seconds has come after so much more. */
const ROUNDING_MS = 1_000

/** The panel with the sessions. */
export const SESSIONS_PANEL = 'sessions'
/** Names the list of sessions. */
export const SESSIONS = [SESSIONS_PANEL]

/** The frames with which the runs of a session become more or fewer; those between tell nothing of it. */
const edges: ReadonlySet<unknown> = new Set(['queued', 'started', 'end'])

/**
 * Reads the user's sessions for the open panel: when it opens, when a window comes or goes, when a run begins or ends,
 * when an end is due, and now and then. Once it is shut nothing is asked and nothing kept: an old countdown would be a
 * wrong one.
 */
export function useSessions() {
  const desk = useDesk()
  const { ask, bridge, queries, store } = desk
  const withEnded = useDeskState((state) => state.withEnded)
  const windows = useDeskState((state) => state.windows.map(({ uuid }) => uuid).join())
  const read = async (include_expired: boolean) =>
    (await ask('GET /api/v1/svc-apps/sessions', { query: { limit: SESSION_LIST_MAX, include_expired } }))
      .sessions
  const query = useQuery({
    queryKey: SESSIONS,
    enabled: useIsIn(),
    async queryFn() {
      const active = await read(false)
      return takeSessions(active, store.get().withEnded ? await read(true) : null)
    },
    gcTime: 0,
    refetchInterval: ({ state }) =>
      Math.min(READ_SESSIONS_MS, soonestEnd(state.data?.list.filter(isOpen) ?? []) + ROUNDING_MS),
    refetchIntervalInBackground: true,
  })
  useNews(query.data, (before, after) => sessionNews(before, after, appsOf(desk)), 'sessions')

  const readSoon = useReadSoon(SESSIONS)
  useDidUpdate(() => void readAgain(queries, SESSIONS), [withEnded])
  useDidUpdate(readSoon, [windows])
  useEffect(
    () =>
      bridge.on('rpc.stream', ({ payload }) => {
        if (edges.has(payload.event)) readSoon()
      }),
    [bridge, readSoon],
  )
  return query
}
