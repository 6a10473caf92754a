import { collection, type Store, update } from '@svc/state'
import { openFolder } from '../index.ts'

interface Account {
  readonly number: number
  readonly amount: number
  /** How many transfers went out of it, and came into it. */
  readonly sent: number
  readonly received: number
  /** Items of its journal that were there when it was written. */
  readonly noted: number
  /** Bytes that are there as long as the row names them. */
  readonly blob: string | null
}

/** The accounts, of which each transfer changes two. */
export const accounts = collection({
  name: 'accounts',
  row: {} as Account,
  indexes: { byNumber: (row) => [row.number] },
})
export const ACCOUNTS = 64
const AMOUNT = 1_000_000
/** What all accounts have together, and what is on its way from one to the other. */
export const TOTAL = ACCOUNTS * AMOUNT
const BLOB_EVERY = 50

const change = (store: Store, number: number, next: (row: Account) => Account) =>
  update(store, accounts, String(number), (row) => row && next(row))

/** Moves amounts in a folder until `isOver`; returns how many writes that took. */
export async function transferAll(dir: string, onReady: () => void, isOver: () => boolean): Promise<number> {
  const { store, bus, blobs, close } = await openFolder(dir)
  for (let number = 0; number < ACCOUNTS; number++)
    await store.insert(accounts, String(number), {
      number,
      amount: AMOUNT,
      sent: 0,
      received: 0,
      noted: 0,
      blob: null,
    })
  onReady()
  let writes = 0

  /** Each has an account of its own that it sends from, so that at most one of it is on its way. */
  async function transfer(from: number): Promise<void> {
    let noted = 0
    for (let round = 1; !isOver(); round++) {
      await bus.journal.append(String(from), noted + 1, [JSON.stringify({ round })])
      noted += 1
      let old: string | null = null
      const blob = round % BLOB_EVERY === 0 ? await blobs.put(Buffer.from(`${from} ${round}`)) : null
      await change(store, from, (row) => {
        old = blob === null ? null : row.blob
        return { ...row, amount: row.amount - 1, sent: row.sent + 1, noted, blob: blob ?? row.blob }
      })
      if (old !== null) await blobs.remove(old)
      await change(store, (from + round) % ACCOUNTS, (row) => ({
        ...row,
        amount: row.amount + 1,
        received: row.received + 1,
      }))
      writes += 3
    }
  }
  await Promise.all(Array.from({ length: ACCOUNTS }, (_, from) => transfer(from)))
  await close()
  return writes
}
