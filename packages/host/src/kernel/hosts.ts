import { collection, each, openCopy, type StoreRecord } from '@svc/state'
import type { KernelServices } from './services.ts'

/** One host process among those that share a store. The record's id is the host's. */
export interface HostRow {
  /** Grows when others take the host for dead: what it holds under a lower one is no longer its own. */
  readonly epoch: number
  /** Unix ms of its last beat; 0 once it closed or was taken for dead. */
  readonly beat_at: number
}

/** The record of a host. */
export type HostRecord = StoreRecord<HostRow>

/** Who holds a job: a host, as it was at that epoch. */
export interface Owner {
  readonly host_id: string
  readonly epoch: number
}

/** Whether two owners are one host in one of its lives. */
export const isSameOwner = (a: Owner, b: Owner): boolean => a.host_id === b.host_id && a.epoch === b.epoch

export const hosts = collection({
  name: 'hosts',
  row: {} as HostRow,
  indexes: { byBeat: (row) => [row.beat_at] },
})

/** Beats in the name of the host `id`, from the first `me` to `close`. A beat that fails is logged and tried again. */
function beater(services: Pick<KernelServices, 'clock' | 'limits' | 'log' | 'store'>, id: string) {
  const { clock, limits, log, store } = services
  let record: HostRecord | null = null
  let beating: Promise<HostRecord> | null = null
  let closed = false
  let planned = false
  let isFailing = false
  let stop = () => {}
  /** The host as it is in rows, made once for each epoch. */
  let self: Owner = { host_id: id, epoch: 1 }

  /**
   * One beat by compare-and-set: who was marked as dead reads its new epoch here, who was forgotten begins the next
   * one.
   */
  async function write(): Promise<HostRecord> {
    const next = (record?.row.epoch ?? 0) + 1
    for (let known = record; ; known = await store.get(hosts, id)) {
      const row = { epoch: known?.row.epoch ?? next, beat_at: clock.now() }
      const written = known
        ? await store.swap(hosts, id, known.revision, row)
        : await store.insert(hosts, id, row)
      if (written.ok) return written.record
    }
  }
  const beat = () => {
    beating ??= write().finally(() => {
      beating = null
    })
    return beating.then((written) => {
      record = written
      if (written.row.epoch !== self.epoch) self = { host_id: id, epoch: written.row.epoch }
      return written
    })
  }
  const plan = () => {
    if (closed) return
    planned = true
    stop = clock.setTimer(() => {
      beat()
        .then(
          () => {
            isFailing = false
          },
          (err: unknown) => {
            if (!closed && !isFailing)
              log.error({ err }, 'the heartbeat of this host fails and is tried again')
            isFailing = true
          },
        )
        .finally(plan)
    }, limits.HOST_BEAT_MS)
  }

  /** A host that was held up for so long may have been marked as dead meanwhile: it asks before it acts. */
  const known = () =>
    record && planned && clock.now() - record.row.beat_at < limits.HOST_DEAD_MS ? self : null

  return {
    id,
    known,
    async me(): Promise<Owner> {
      if (known() === null) await beat()
      if (!planned) plan()
      return self
    },
    async close() {
      closed = true
      stop()
      await beating?.catch(() => {})
      if (!record) return
      const { revision, row } = record
      record = null
      await store.swap(hosts, id, revision, { epoch: row.epoch + 1, beat_at: 0 }).catch((err: unknown) => {
        log.warn({ err }, 'the shutdown of this host could not be announced')
      })
    },
  }
}

/** Opens this host's place among the others; nothing is written before `me` is asked. */
export function openHosts(services: Pick<KernelServices, 'clock' | 'newId' | 'limits' | 'log' | 'store'>) {
  const { clock, limits, store } = services
  const self = beater(services, services.newId('host'))
  const { CACHE_STALE_MS: staleMs, VERIFIED_TOKENS_MAX: max } = limits
  const copies = openCopy((id) => store.get(hosts, id), { clock, staleMs, max })

  /** Where no other process has the store open, none of the others is alive, whatever its clock said. */
  const mayLive = ({ beat_at }: HostRow) => !store.isExclusive && clock.now() - beat_at < limits.HOST_DEAD_MS

  const markedDead = async (record: HostRecord): Promise<HostRecord> => {
    const { id, revision, row } = record
    if (id === self.id || row.beat_at === 0 || mayLive(row)) return record
    const swapped = await store.swap(hosts, id, revision, { epoch: row.epoch + 1, beat_at: 0 })
    // Lost: it has just beaten, or another host marked it as dead; the next sweep sees which.
    return swapped.ok ? swapped.record : record
  }

  return {
    /** The id of this host, the same for as long as its process lives. */
    id: self.id,
    /**
     * Who this host is now: after a silence of `HOST_DEAD_MS` it beats before it answers. The first call puts its row
     * down, and from then on it beats each `HOST_BEAT_MS`.
     */
    me: self.me,
    /** The same where it need not beat first, without waiting; else `null`. */
    known: self.known,
    /**
     * Every host, after those silent for `HOST_DEAD_MS` were marked as dead, and on an exclusive store all others: one
     * write raises a dead host's epoch, so that it either beats first and lives, or finds out that what it held is no
     * longer its own.
     */
    async markDead() {
      const found: HostRecord[] = []
      for await (const record of each(store, hosts, 'byBeat')) found.push(await markedDead(record))
      return found
    },
    /** Whether another host lives in that life of its, from a copy of its row; nothing is written. */
    async isLiving({ host_id, epoch }: Owner): Promise<boolean> {
      if (store.isExclusive || host_id === self.id) return false
      const row = (await copies.get(host_id))?.row
      if (row?.epoch !== epoch || row.beat_at === 0) return false
      return clock.now() - row.beat_at < limits.HOST_DEAD_MS + staleMs
    },
    /** Forgets a host that is dead and holds nothing any more. */
    async forget({ id, revision, row }: HostRecord) {
      if (row.beat_at === 0 && id !== self.id) await store.remove(hosts, id, revision)
    },
    /** Stops beating and marks itself as dead, so that others need not wait for its silence. Twice is harmless. */
    close: self.close,
  }
}

/** This host among those that share its store. */
export type Hosts = ReturnType<typeof openHosts>
