import { type Handlers, refuse } from '@svc/contract'
import { fetchPage } from '../../models/web/fetch.ts'
import { searchWeb } from '../../models/web/search.ts'
import { type CallContext, whileThere } from './context.ts'

/** Handlers of `web.*`: each is counted before anybody else is asked, and stays counted whatever came of it. */
export const web: Handlers<'web', CallContext> = {
  async fetch({ url }, context) {
    const { services } = context
    // A URL that is refused costs nothing.
    services.publicFetch.judge(url)
    await count(context, 'fetches')
    return whileThere(context, (signal) => fetchPage(services, url, signal))
  },

  async search(args, context) {
    const { services } = context
    const { webSearch } = services
    if (!webSearch) throw refuse('not_implemented', 'this host has no search')
    await count(context, 'searches')
    return whileThere(context, (signal) => searchWeb(services, webSearch, args, signal))
  },
}

const count = ({ services, userId, window }: CallContext, counted: 'fetches' | 'searches') =>
  services.quotas.charge({ userId, appId: window.row.app_id, counted, tokens: 0 })
