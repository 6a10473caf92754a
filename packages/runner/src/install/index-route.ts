import { dialChecked } from '@svc/node/public-fetch'
import type { Route } from '../isolation/egress.ts'
import { openLocalNames } from '../isolation/local-names.ts'
import { overProxy } from '../isolation/machine-proxy.ts'
import { shown } from '../isolation/refusals.ts'
import type { FoundSettings } from './manager-settings.ts'

/**
 * The route of an installer: to its index and what its settings name, wherever these are, because the owner of the machine
 * named them; over the machine's own proxy where it has one. `onRefused` is called with each other host that it asks for.
 */
export function routeToIndexes(
  { hosts, proxy, isDirect }: Pick<FoundSettings, 'hosts' | 'proxy' | 'isDirect'>,
  onRefused: (host: string) => void,
): Route {
  const addressesOf = openLocalNames()
  return async (to) => {
    const { name, port, signal } = to
    if (!hosts.has(`${name.toLowerCase()}:${port}`)) {
      onRefused(shown(name, port))
      return `this installer may not reach ${shown(name, port)}`
    }
    const bare = name.replace(/^\[|\]$/g, '')
    if (proxy && !isDirect(bare)) return overProxy(proxy, to)
    return dialChecked({ name: bare, addresses: await addressesOf(bare), port, signal })
  }
}
