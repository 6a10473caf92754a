import { setTimeout as after } from 'node:timers/promises'
import type { Limits } from '@svc/contract'
import type { HostOptions } from '@svc/host'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/host'
import { systemClock } from '@svc/node'
import { type Balancer, openBalancer } from './balancer.ts'
import { startPageHost } from './page-host.ts'

/** Hosts of one state behind a load balancer. */
export interface PageHosts {
  /** Where a page finds them. */
  readonly url: string
  readonly balancer: Balancer
  /** Closes each and starts another one in its place, one after the other; the balancer looks at them meanwhile. */
  restartAll(): Promise<void>
  close(): Promise<void>
}

/** How often a load balancer looks whether its hosts are ready. */
const LOOK_MS = 50

/** Starts three hosts with the apps of a folder, each listening for itself. */
export async function startPageHosts(
  dir: string,
  { limits = {}, upgrades = true }: { readonly limits?: Partial<Limits>; readonly upgrades?: boolean } = {},
): Promise<PageHosts> {
  const shared: HostOptions = {
    store: memoryStore(),
    bus: memoryBus({ clock: systemClock }),
    blobs: memoryBlobs(),
    secret: 's'.repeat(32),
  }
  const start = (port = 0) => startPageHost({ dir, port, limits, shared })
  const running: Awaited<ReturnType<typeof start>>[] = []
  for (let count = 0; count < 3; count += 1) running.push(await start())
  const ports = running.map(({ url }) => Number(new URL(url).port))
  const balancer = await openBalancer(ports, { upgrades })
  let isOver = false
  const looking = (async () => {
    for (; !isOver; await after(LOOK_MS)) await balancer.look()
  })()
  return {
    url: `http://127.0.0.1:${balancer.port}`,
    balancer,
    async restartAll() {
      for (const [at, port] of ports.entries()) {
        await running[at]?.close()
        running[at] = await start(port)
        await after(4 * LOOK_MS)
      }
    },
    async close() {
      isOver = true
      await looking
      await balancer.close()
      await Promise.all(running.map(({ close }) => close()))
      await shared.bus?.close()
      await shared.store?.close()
    },
  }
}
