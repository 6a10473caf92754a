import type { KernelServices } from '../services.ts'
import { type HostRecord, hosts, type Owner } from './host-row.ts'

/** The beating of one host. */
export interface Beater {
  readonly id: string
  me(): Promise<Owner>
  close(): Promise<void>
}

/** Beats in the name of the host `id`, from the first `me` to `close`. A beat that fails is logged and comes again. */
export function beater(
  services: Pick<KernelServices, 'clock' | 'limits' | 'log' | 'store'>,
  id: string,
): Beater {
  const { clock, limits, log, store } = services
  let record: HostRecord | null = null
  let beating: Promise<HostRecord> | null = null
  let closed = false
  let planned = false
  let stop = () => {}

  /** One beat by compare-and-set: who was buried reads its new epoch here, who was forgotten begins the next one. */
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
      return written
    })
  }
  const plan = () => {
    if (closed) return
    planned = true
    stop = clock.setTimer(() => {
      beat()
        .catch((err: unknown) => {
          if (!closed) log.error({ err }, 'this host could not tell the others that it lives')
        })
        .finally(plan)
    }, limits.HOST_BEAT_MS)
  }

  return {
    id,
    async me() {
      // A host that was held up for so long may have been buried meanwhile: it asks before it acts.
      if (!record || clock.now() - record.row.beat_at >= limits.HOST_DEAD_MS) await beat()
      if (!planned) plan()
      return { host_id: id, epoch: record?.row.epoch ?? 1 }
    },
    async close() {
      closed = true
      stop()
      await beating?.catch(() => {})
      if (!record) return
      const { revision, row } = record
      record = null
      await store.swap(hosts, id, revision, { epoch: row.epoch + 1, beat_at: 0 }).catch((err: unknown) => {
        log.warn({ err }, 'this host could not tell the others that it ends')
      })
    },
  }
}
