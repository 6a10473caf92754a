import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDesk } from '../components/use-desk.ts'
import { useNews } from '../components/use-list.ts'
import { standingNews } from '../manage/standing.ts'
import { appsQuery } from '../state/apps.ts'
import type { Tab } from '../state/manage-state.ts'
import { runnerNews } from '../state/runner.ts'

/** How often what a tab shows is read again while somebody looks at it, in ms. */
export const READ_TAB_MS: Readonly<Record<Tab, number>> = { plugins: 3_000, runners: 3_000, apps: 10_000 }

/** Names what changes with the tools of the user, and its parts. */
export const TOOLS = ['tools']
/** Names the machines. */
export const RUNNERS = [...TOOLS, 'runners']
/** Names all that is known of plugins. */
export const PLUGS = [...TOOLS, 'plugs']
/** Names the list of the user's own plugins. */
export const OWN_PLUGS = [...PLUGS, 'own']
/** Names a plugin of the user. */
export const plugKey = (toolId: string) => [...PLUGS, toolId]

/** The user's own plugins. */
export function useOwnPlugs() {
  const { ask } = useDesk()
  const query = useQuery({
    queryKey: OWN_PLUGS,
    queryFn: async () => (await ask('GET /plugs/my/tools')).plugs,
    refetchInterval: READ_TAB_MS.plugins,
  })
  useNews(query.data, standingNews, 'plugins')
  return query
}

/** What others published, page by page. It seldom changes: it is read for somebody who comes to it. */
export function useOtherPlugs() {
  const { ask } = useDesk()
  return useInfiniteQuery({
    queryKey: [...PLUGS, 'others'],
    queryFn: ({ pageParam: cursor }) => ask('GET /plugs', { query: cursor === null ? {} : { cursor } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** A plugin of the user. */
export function usePlug(tool_id: string) {
  const { ask } = useDesk()
  const query = useQuery({
    queryKey: plugKey(tool_id),
    queryFn: () => ask('GET /plugs/my/tools/{tool_id}', { params: { tool_id } }),
    refetchInterval: READ_TAB_MS.plugins,
  })
  useNews(query.data, (before, after) => standingNews([before], [after]), 'plugins')
  return query
}

/** Its versions, the newest first. */
export function useVersions(tool_id: string) {
  const { ask } = useDesk()
  return useQuery({
    queryKey: [...plugKey(tool_id), 'versions'],
    queryFn: async () =>
      (await ask('GET /plugs/my/tools/{tool_id}/versions', { params: { tool_id } })).versions,
    refetchInterval: READ_TAB_MS.plugins,
  })
}

/** The user's machines. */
export function useRunners() {
  const { ask } = useDesk()
  const query = useQuery({
    queryKey: RUNNERS,
    queryFn: async () => (await ask('GET /api/v1/svc-apps/runners')).runners,
    refetchInterval: READ_TAB_MS.runners,
  })
  useNews(query.data, runnerNews, 'runners')
  return query
}

/** The installed apps. */
export function useInstalls() {
  const { ask } = useDesk()
  return useQuery({ ...appsQuery(ask), refetchInterval: READ_TAB_MS.apps })
}
