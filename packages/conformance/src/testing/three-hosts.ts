import { createHost, type Host, type HostOptions, memoryBlobs, memoryBus, memoryStore } from '@svc/host'
import { systemClock } from '@svc/node'
import { TEST_START_TOKEN } from '../start-token.ts'

/** Three hosts over one state, as a load balancer in round-robin shows them: as one. */
export interface ThreeHosts extends Host {
  /** Each of them. */
  readonly all: readonly Host[]
  /** The host that the last request went to. */
  readonly last: () => Host
}

/** Opens three hosts that share store, bus, blobs and secret; each request goes to the next one. `own`: what each has alone. */
export function threeHosts(options: HostOptions = {}, own: () => HostOptions = () => ({})): ThreeHosts {
  const shared: HostOptions = {
    store: memoryStore(),
    bus: memoryBus({ clock: options.clock ?? systemClock }),
    blobs: memoryBlobs(),
    secret: 's'.repeat(32),
    startToken: TEST_START_TOKEN,
    ...options,
  }
  const make = () => createHost({ ...shared, ...own() })
  const all = [make(), make(), make()] as const
  const [first] = all
  let turn = 0
  const last = () => all[turn % all.length] ?? first
  return {
    ...first,
    all,
    last,
    fetch(request) {
      turn += 1
      return last().fetch(request)
    },
    plugins: {
      ...first.plugins,
      ready: async () => void (await Promise.all(all.map((host) => host.plugins.ready()))),
    },
    async close() {
      await Promise.all(all.map((host) => host.close()))
      await shared.bus?.close()
      await shared.store?.close()
    },
  }
}
