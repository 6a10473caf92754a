import { type Handlers, refuse } from '@svc/contract'
import { fetchPage } from '../../models/web/fetch.ts'
import { searchWeb } from '../../models/web/search.ts'
import type { CallContext } from './context.ts'
import { whileThere } from './while-there.ts'

/** Handlers of `web.*`: each is counted before anybody else is asked, and stays counted whatever came of it. */
export const web: Handlers<'web', CallContext> = {
  async fetch({ url }, context) {
    const { house } = context
    // A URL that is refused costs nothing.
    house.publicFetch.judge(url)
    await count(context, 'fetches')
    return whileThere(context, (signal) => fetchPage(house, url, signal))
  },

  async search(args, context) {
    const { house } = context
    const { webSearch } = house
    if (!webSearch) throw refuse('not_implemented', 'this host has no search')
    await count(context, 'searches')
    return whileThere(context, (signal) => searchWeb(house, webSearch, args, signal))
  },
}

const count = ({ house, userId, window }: CallContext, counted: 'fetches' | 'searches') =>
  house.quotas.charge({ userId, appId: window.row.app_id, counted, tokens: 0 })
