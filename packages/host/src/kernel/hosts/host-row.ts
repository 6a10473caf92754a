import { collection, type StoreRecord } from '@svc/state'

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
