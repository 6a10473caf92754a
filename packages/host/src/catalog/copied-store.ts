import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Copy, InsertResult, Store, StoreRecord, SwapResult } from '@svc/state'
import { type Copies, openCopies } from './copies.ts'

/** The store of a host, and the copies of what is in it. */
export interface CopiedStore {
  readonly store: Store
  readonly copies: Copies
}

type Dropping = Pick<Copy<never>, 'drop'>

/**
 * Makes the copies over a store, and the store to write through. Where no other process has it open, each write changes
 * the copy of its record before its caller has a result, and so that copy never grows old.
 */
export function openCopiedStore(store: Store, clock: Clock, limits: Limits): CopiedStore {
  if (!store.isExclusive) return { store, copies: openCopies(store, clock, limits) }
  const copyOf = new Map<string, Dropping>()
  const copies = openCopies(store, clock, limits, {
    staleMs: Number.POSITIVE_INFINITY,
    use(collection, copy) {
      copyOf.set(collection.name, copy)
      return readOnly(copy)
    },
  })

  /** After a write that failed or may have failed, the next reader reads the store. */
  async function noted<Result extends InsertResult<unknown> | SwapResult<unknown> | boolean>(
    copy: Dropping,
    id: string,
    writing: Promise<Result>,
  ): Promise<Result> {
    let next: StoreRecord<never> | undefined
    try {
      const written = await writing
      if (typeof written === 'object' && written.ok) next = written.record as StoreRecord<never>
      return written
    } finally {
      copy.drop(id, next)
    }
  }

  const insert: Store['insert'] = (collection, id, row, options) => {
    const copy = copyOf.get(collection.name)
    const writing = store.insert(collection, id, row, options)
    return copy ? noted(copy, id, writing) : writing
  }
  const swap: Store['swap'] = (collection, id, revision, next, options) => {
    const copy = copyOf.get(collection.name)
    const writing = store.swap(collection, id, revision, next, options)
    return copy ? noted(copy, id, writing) : writing
  }
  const remove: Store['remove'] = (collection, id, revision) => {
    const copy = copyOf.get(collection.name)
    const writing = store.remove(collection, id, revision)
    return copy ? noted(copy, id, writing) : writing
  }
  return { store: { ...store, insert, swap, remove }, copies }
}

/**
 * A copy that only the store changes. Who wrote a record tells its copy so later, and others may have removed the record
 * meanwhile: it would come back for good.
 */
const readOnly = <Row>({ get }: Copy<Row>): Copy<Row> => ({ get, drop: () => {} })
