import { collection, each, type StoreRecord } from '@svc/state'
import { type Hosts, isSameOwner, type Owner } from './hosts.ts'
import type { KernelServices } from './services.ts'

/** That a host removes the bytes of a digest, which is the record's id. */
interface RemovalRow extends Owner {
  readonly digest: string
}

/** Removals of bytes that are under way, or that a host left behind when it ended. */
export const removals = collection({
  name: 'removals',
  row: {} as RemovalRow,
  indexes: { byDigest: (row) => [row.digest] },
})

/** One removal while it runs. */
export interface Removal {
  /** Call it right before the bytes go. Throws where others took this host for dead: then the removal is not its own. */
  checkOwn(): Promise<void>
}

/**
 * Opens what says which bytes are being removed. The record of a removal is written before the last look at who needs the
 * bytes, and a use of bytes before the look at that record: so either the removal sees the use, or who puts the bytes
 * waits for its end. A host that was killed holds nothing (docs/decisions/0127-bytes-go-with-their-last-use.md).
 */
export function openRemovals(
  services: Pick<KernelServices, 'clock' | 'limits' | 'store'> & { hosts: Hosts },
) {
  const { clock, hosts, limits, store } = services
  /** Those of this process: a record of this host that is not here is a left-over. */
  const running = new Map<string, Promise<void>>()

  const moment = () => new Promise<void>((resolve) => clock.setTimer(resolve, limits.HOST_BEAT_MS))

  async function isOfOther({ row }: StoreRecord<RemovalRow>): Promise<boolean> {
    if (row.host_id === (await hosts.me()).host_id) return false
    const found = await hosts.markDead()
    return found.some(({ id, row: { epoch } }) => isSameOwner(row, { host_id: id, epoch }))
  }

  /** Writes the record of a removal, in place of a left-over; waits while another host has one. */
  async function claim(digest: string): Promise<StoreRecord<RemovalRow>> {
    for (;;) {
      const row: RemovalRow = { digest, ...(await hosts.me()) }
      const old = await store.get(removals, digest)
      if (old && (await isOfOther(old))) {
        await moment()
        continue
      }
      const written = old
        ? await store.swap(removals, digest, old.revision, row)
        : await store.insert(removals, digest, row)
      if (written.ok) return written.record
    }
  }

  async function runClaimed(digest: string, work: (removal: Removal) => Promise<void>): Promise<void> {
    const { revision, row } = await claim(digest)
    try {
      await work({
        async checkOwn() {
          if (!isSameOwner(row, await hosts.me()))
            throw new Error('this host was taken for dead while it was removing bytes')
        },
      })
    } finally {
      await store.remove(removals, digest, revision)
    }
  }

  return {
    /**
     * Runs `work`, which removes the bytes of a digest if nobody needs them: one removal of a digest after the other.
     */
    async run(digest: string, work: (removal: Removal) => Promise<void>): Promise<void> {
      while (running.has(digest)) await running.get(digest)
      const ended = Promise.withResolvers<void>()
      running.set(digest, ended.promise)
      try {
        await runClaimed(digest, work)
      } finally {
        running.delete(digest)
        ended.resolve()
      }
    },
    /** Waits until nobody removes the bytes of a digest. Who puts bytes writes their use before, and puts them after. */
    async settled(digest: string): Promise<void> {
      for (;;) {
        await running.get(digest)
        const record = await store.get(removals, digest)
        if (running.has(digest)) continue
        if (!record || !(await isOfOther(record))) return
        await moment()
      }
    },
    /** The digests whose removal a host left behind. */
    async *leftOver(): AsyncGenerator<string> {
      for await (const record of each(store, removals, 'byDigest', { limit: limits.CLEAN_RECORDS_MAX }))
        if (!running.has(record.id) && !(await isOfOther(record))) yield record.id
    },
    /** Waits for those that run: from then on others may take this host for dead. */
    async close(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/** Removals of bytes. */
export type Removals = ReturnType<typeof openRemovals>
