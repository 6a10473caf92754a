import { compareAppends } from './cluster/appends.ts'
import { compareAsks } from './cluster/asks.ts'
import { compareDoors } from './cluster/door.ts'
import { compareEvents } from './cluster/events.ts'
import { startServers } from './cluster/servers.ts'
import { compareSwaps } from './cluster/swaps.ts'
import type { Outcome } from './lib/pairs.ts'

/** What several hosts share, beside the bare clients of its servers. */
export async function benchCluster(): Promise<Outcome[]> {
  const servers = await startServers()
  try {
    return [
      ...(await compareSwaps(servers)),
      ...(await compareAppends(servers)),
      await compareEvents(servers),
      ...(await compareDoors(servers)),
      ...(await compareAsks(servers)),
    ]
  } finally {
    await servers.close()
  }
}

if (import.meta.main) await benchCluster()
