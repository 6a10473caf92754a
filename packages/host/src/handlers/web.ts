import { type Handlers, refuse } from '@svc/contract'
import { fetchPage } from '../web/fetch.ts'
import { searchWeb } from '../web/search.ts'
import type { CallContext } from './context.ts'
import { whileThere } from './while-there.ts'

/** Handlers of `web.*` (spec §4.2, design §9). */
export const web: Handlers<'web', CallContext> = {
  fetch: ({ url }, context) => whileThere(context, (signal) => fetchPage(context.house, url, signal)),

  search: (args, context) => {
    const { house } = context
    const { webSearch } = house
    if (!webSearch) throw refuse('not_implemented', 'this host has no search')
    return whileThere(context, (signal) => searchWeb(house, webSearch, args, signal))
  },
}
