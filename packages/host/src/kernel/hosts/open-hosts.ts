import { each } from '@svc/state'
import type { KernelServices } from '../services.ts'
import { beater } from './beat.ts'
import { type HostRecord, hosts, type Owner } from './host-row.ts'

/** This host among those that share its store. */
export interface Hosts {
  /**
   * Who this host is now: after a silence of `HOST_DEAD_MS` it beats before it answers. The first call puts its row
   * down, and from then on it beats each `HOST_BEAT_MS`.
   */
  me(): Promise<Owner>
  /**
   * Every host, after those silent for `HOST_DEAD_MS` were buried: one write puts a dead host's epoch up, so that
   * it either beats first and lives, or finds out that what it held is no longer its own.
   */
  buryDead(): Promise<HostRecord[]>
  /** Forgets a host that is dead and holds nothing any more. */
  forget(record: HostRecord): Promise<void>
  /** Stops beating and buries itself, so that others need not wait for its silence. Twice is harmless. */
  close(): Promise<void>
}

/** Opens this host's place among the others; nothing is written before `me` is asked. */
export function openHosts(
  services: Pick<KernelServices, 'clock' | 'newId' | 'limits' | 'log' | 'store'>,
): Hosts {
  const { clock, limits, store } = services
  const self = beater(services, services.newId('host'))

  const buried = async (record: HostRecord): Promise<HostRecord> => {
    const { id, revision, row } = record
    if (id === self.id || row.beat_at === 0 || clock.now() - row.beat_at < limits.HOST_DEAD_MS) return record
    const swapped = await store.swap(hosts, id, revision, { epoch: row.epoch + 1, beat_at: 0 })
    // Lost: it has just beaten, or another host buried it; the next sweep sees which.
    return swapped.ok ? swapped.record : record
  }

  return {
    me: self.me,
    async buryDead() {
      const found: HostRecord[] = []
      for await (const record of each(store, hosts, 'byBeat')) found.push(await buried(record))
      return found
    },
    async forget({ id, revision, row }) {
      if (row.beat_at === 0 && id !== self.id) await store.remove(hosts, id, revision)
    },
    close: self.close,
  }
}
