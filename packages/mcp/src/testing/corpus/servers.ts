import { hostServers } from './host-servers.ts'
import { localServers } from './local-servers.ts'
import type { ServerRow } from './server-row.ts'
import { smallServers } from './small-servers.ts'

/** All servers of the corpus, by what they are for. */
export const servers: readonly ServerRow[] = [...smallServers, ...localServers, ...hostServers]
