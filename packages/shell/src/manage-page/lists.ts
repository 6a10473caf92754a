import { type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDesk, useIsIn } from '../components/use-desk.ts'
import { useNews } from '../components/use-list.ts'
import { pluginNews } from '../manage/plugin-status.ts'
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

/** What a tab shows: it is read time and again while somebody looks at it. */
const useShown = <Data>(tab: Tab, queryKey: QueryKey, queryFn: () => Promise<Data>) =>
  useQuery({ queryKey, queryFn, enabled: useIsIn(), refetchInterval: READ_TAB_MS[tab] })

/** The user's own plugins. */
export function useOwnPlugs() {
  const { ask } = useDesk()
  const query = useShown('plugins', OWN_PLUGS, async () => (await ask('GET /plugs/my/tools')).plugs)
  useNews(query.data, pluginNews, 'plugins')
  return query
}

/** What others published, page by page. It seldom changes: it is read for somebody who comes to it. */
export function useOtherPlugs() {
  const { ask } = useDesk()
  return useInfiniteQuery({
    queryKey: [...PLUGS, 'others'],
    enabled: useIsIn(),
    queryFn: ({ pageParam: cursor }) => ask('GET /plugs', { query: cursor === null ? {} : { cursor } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** A plugin of the user, and its versions, the newest first. */
export function useOwnPlug(tool_id: string) {
  const { ask } = useDesk()
  const params = { tool_id }
  const plug = useShown('plugins', plugKey(tool_id), () => ask('GET /plugs/my/tools/{tool_id}', { params }))
  const versions = useShown(
    'plugins',
    [...plugKey(tool_id), 'versions'],
    async () => (await ask('GET /plugs/my/tools/{tool_id}/versions', { params })).versions,
  )
  useNews(plug.data, (before, after) => pluginNews([before], [after]), 'plugins')
  return { plug, versions }
}

/** The user's machines. */
export function useRunners() {
  const { ask } = useDesk()
  const query = useShown('runners', RUNNERS, async () => (await ask('GET /api/v1/svc-apps/runners')).runners)
  useNews(query.data, runnerNews, 'runners')
  return query
}

/** The installed apps. */
export const useInstalls = () =>
  useQuery({ ...appsQuery(useDesk().ask), enabled: useIsIn(), refetchInterval: READ_TAB_MS.apps })
