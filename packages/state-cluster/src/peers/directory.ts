import type { Database } from '../postgres/database.ts'

/** Where a host answers, and in which of its lives. */
export interface PeerAddress {
  readonly url: string
  readonly life: string
}

/** Rows that their hosts have not put for so long are of hosts that were killed. */
const FORGOTTEN = '1 day'

/** Where the hosts of one schema answer each other. */
export function openDirectory(database: Database, schema: string) {
  const known = new Map<string, PeerAddress>()
  const put = `INSERT INTO ${schema}.hosts (id, url, life) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET url = $2, life = $3, seen_at = now()`
  const get = `SELECT url, life FROM ${schema}.hosts WHERE id = $1`
  const take = `DELETE FROM ${schema}.hosts WHERE id = $1 AND life = $2`
  const sweep = `DELETE FROM ${schema}.hosts WHERE seen_at < now() - interval '${FORGOTTEN}'`

  return {
    async put(hostId: string, { url, life }: PeerAddress): Promise<void> {
      await database.run(put, () => [hostId, url, life])
    },
    /** Where a host answers, as it was known last; null where no host has this id. */
    async get(hostId: string): Promise<PeerAddress | null> {
      const found = known.get(hostId) ?? (await database.run<PeerAddress>(get, () => [hostId]))[0] ?? null
      if (found) known.set(hostId, found)
      return found
    },
    /** Where it answers is asked again. */
    forget(hostId: string): void {
      known.delete(hostId)
    },
    async take(hostId: string, life: string): Promise<void> {
      await database.run(take, () => [hostId, life])
    },
    /** Removes the rows of hosts that were killed. */
    async sweep(): Promise<void> {
      await database.run(sweep)
    },
  }
}

/** Where hosts answer. */
export type Directory = ReturnType<typeof openDirectory>
