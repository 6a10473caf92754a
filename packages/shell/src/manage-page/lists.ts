import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDesk, useIsIn } from '../components/use-desk.ts'
import { useNews } from '../components/use-list.ts'
import { pluginNews } from '../manage/plugin-status.ts'
import { appsQuery } from '../state/apps.ts'
import type { Tab } from '../state/manage-state.ts'
import type { PlugPage } from '../state/plug.ts'
import { runnerNews } from '../state/runner.ts'

/** How often what a tab shows is read again while somebody looks at it, in ms. */
export const READ_TAB_MS: Readonly<Record<Tab, number>> = { plugins: 3_000, runners: 3_000, apps: 10_000 }

/** As many plugins as a user may have on most hosts: a list that is read time and again is one page. */
const OWN_PLUGS_PAGE = 100

/** Names what changes with the tools of the user, and its parts. */
export const TOOLS = ['tools']
/** Names the machines. */
export const RUNNERS = [...TOOLS, 'runners']
/** Names all that is known of plugins. */
export const PLUGS = [...TOOLS, 'plugs']
/** Names the lists of the user's own plugins, each with what it is searched for. */
export const OWN_PLUGS = [...PLUGS, 'own']
/** Names a plugin of the user. */
export const plugKey = (toolId: string) => [...PLUGS, toolId]

/** What a tab shows: it is read time and again while somebody looks at it. */
const useShown = <Data>(tab: Tab, queryKey: QueryKey, queryFn: () => Promise<Data>) =>
  useQuery({ queryKey, queryFn, enabled: useIsIn(), refetchInterval: READ_TAB_MS[tab] })

/** A list of plugins that is read page by page. What was found before is shown until the next is. */
const plugPages = (queryKey: QueryKey, read: (cursor: string | undefined) => Promise<PlugPage>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

/** The user's own plugins that a search finds, the newest first. */
export function useOwnPlugs(search: string) {
  const { ask } = useDesk()
  const query = useInfiniteQuery({
    ...plugPages([...OWN_PLUGS, search], (cursor) =>
      ask('GET /plugs/my/tools', { query: { ...searched(search), limit: OWN_PLUGS_PAGE, cursor } }),
    ),
    enabled: useIsIn(),
    refetchInterval: READ_TAB_MS.plugins,
  })
  const list = useMemo(() => query.data?.pages.flatMap(({ plugs }) => plugs), [query.data])
  useNews(list, pluginNews, 'plugins')
  return { query, list: list ?? [] }
}

/** What others published and a search finds, page by page. It seldom changes: it is read for somebody who comes to it. */
export function useOtherPlugs(search: string) {
  const { ask } = useDesk()
  return useInfiniteQuery({
    ...plugPages([...PLUGS, 'others', search], (cursor) =>
      ask('GET /plugs', { query: { ...searched(search), cursor } }),
    ),
    enabled: useIsIn(),
  })
}

const searched = (search: string) => (search === '' ? {} : { search })

/** Takes a plugin that was removed out of the pages of a list. */
export const withoutPlug =
  (toolId: string) =>
  (data: InfiniteData<PlugPage> | undefined): InfiniteData<PlugPage> | undefined =>
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        plugs: page.plugs.filter(({ tool_id }) => tool_id !== toolId),
      })),
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

/** The installed apps that a search finds. */
export const useInstalls = (search: string) =>
  useQuery({
    ...appsQuery(useDesk().ask, search),
    enabled: useIsIn(),
    refetchInterval: READ_TAB_MS.apps,
    placeholderData: keepPreviousData,
  })
