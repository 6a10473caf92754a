import { didYouMean, limits } from '@svc/contract'
import type { RouteAnswer } from '@svc/contract/route-client'
import { allPages } from '../host/all-pages.ts'
import type { HostClient } from '../host/client.ts'
import { failure } from '../terminal/failure.ts'

/** An app in the list of its owner. */
export type OwnApp = RouteAnswer<'GET /api/v1/svc-apps/apps'>['apps'][number]
/** A release in the list of the owner of its app. */
export type Release = RouteAnswer<'GET /api/v1/svc-apps/apps/{app_id}/releases'>['releases'][number]

/** The apps of the user, all pages. Errors: `host`, `unreachable`. */
export const ownApps = (host: HostClient, search: string | undefined): Promise<OwnApp[]> =>
  allPages(async (cursor) => {
    const query = { search, cursor, limit: limits.APP_LIST_MAX }
    const { apps: entries, next_cursor } = await host.ask('GET /api/v1/svc-apps/apps', { query })
    return { entries, next_cursor }
  })

/** The releases of an app, all pages, the highest version first. Errors: `host`, `unreachable`. */
export const releasesOf = (host: HostClient, { app_id }: OwnApp): Promise<Release[]> =>
  allPages(async (cursor) => {
    const { releases: entries, next_cursor } = await host.ask('GET /api/v1/svc-apps/apps/{app_id}/releases', {
      params: { app_id },
      query: { cursor, limit: limits.RELEASE_LIST_MAX },
    })
    return { entries, next_cursor }
  })

/** Finds an app of the user by its slug or its id. Errors: `host`, `unreachable`. */
export async function findApp(host: HostClient, name: string): Promise<OwnApp> {
  const isNamed = ({ app_id, slug }: OwnApp) => app_id === name || slug === name
  // What is longer than a search is the name of no app.
  const found = name.length > limits.SEARCH_MAX_CHARS ? [] : await ownApps(host, name)
  const app = found.find(isNamed)
  if (app) return app
  const slugs = (await ownApps(host, undefined)).map(({ slug }) => slug)
  throw failure(
    'host',
    `there is no app ${JSON.stringify(name)} of this user${didYouMean(name, slugs)}`,
    'svc app list shows yours; name one by its slug or its app_id.',
    'not_found',
  )
}
