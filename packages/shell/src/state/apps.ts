import { queryOptions } from '@tanstack/react-query'
import type { Api } from './api.ts'
import type { Install } from './install.ts'
import type { DeskParts } from './parts.ts'

/** Names the list of the user's apps. */
export const APPS = ['apps']

/** How the user's apps are read, by name. */
export const appsQuery = (api: Api) =>
  queryOptions({
    queryKey: APPS,
    queryFn: async (): Promise<readonly Install[]> =>
      [...(await api.installs())].sort((a, b) => a.name.localeCompare(b.name)),
  })

/** The user's apps as they were read last. */
export const appsOf = ({ queries }: Pick<DeskParts, 'queries'>): readonly Install[] =>
  queries.getQueryData<readonly Install[]>(APPS) ?? []

/** Reads the user's apps: what no event tells of them may have changed, such as a build without a window. */
export const readApps = ({ api, queries }: Pick<DeskParts, 'api' | 'queries'>): Promise<readonly Install[]> =>
  queries.fetchQuery(appsQuery(api))
