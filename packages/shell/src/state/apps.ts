import { visibleTitle } from '@svc/contract/visible-text'
import { queryOptions } from '@tanstack/react-query'
import type { Ask } from './exchange.ts'
import type { Install } from './install.ts'
import type { DeskParts } from './parts.ts'

/** Names the list of the user's apps. */
export const APPS = ['apps']

/** An app as the page shows it: without what nobody sees in the names that its author chose. */
const shownInstall = ({ name, views, ...install }: Install): Install => ({
  ...install,
  name: visibleTitle(name) || install.slug,
  views: views.map((view) =>
    view.title === undefined ? view : { ...view, title: visibleTitle(view.title) || view.name },
  ),
})

/** How the user's apps are read, by name: those that a search finds; all where nothing is searched for. */
export const appsQuery = (ask: Ask, search = '') =>
  queryOptions({
    queryKey: search === '' ? APPS : [...APPS, search],
    async queryFn(): Promise<readonly Install[]> {
      const { installs } = await ask(
        'GET /api/v1/svc-apps/installs',
        search === '' ? {} : { query: { search } },
      )
      return installs.map(shownInstall).sort((a, b) => a.name.localeCompare(b.name))
    },
  })

/** The user's apps as they were read last. */
export const appsOf = ({ queries }: Pick<DeskParts, 'queries'>): readonly Install[] =>
  queries.getQueryData<readonly Install[]>(APPS) ?? []

/** Reads the user's apps: something may have changed without an event, such as a build without a window. */
export const readApps = ({ ask, queries }: Pick<DeskParts, 'ask' | 'queries'>): Promise<readonly Install[]> =>
  queries.fetchQuery(appsQuery(ask))
