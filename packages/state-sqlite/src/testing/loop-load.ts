// Writes and reads for a while, over memory or a folder, and prints how long the event loop was blocked at most:
// `node loop-load.ts memory|DIR`.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '@svc/node'
import { collection, memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { openFolder } from '../index.ts'

/** What one process measured. */
export interface LoopFigures {
  readonly longestMs: number
  readonly p99Ms: number
  readonly writes: number
}

const CLIENTS = 32
const ROUNDS = 60
const WARM_ROUNDS = 5
const BYTES = 2_000
const BLOB_BYTES = 200_000
const NS = 1e6

const rows = collection({ name: 'rows', row: {} as { client: number; text: string }, indexes: { byClient: ({ client }) => [client] } })

const where = process.argv[2] ?? ''
const { store, bus, blobs } =
  where === 'memory'
    ? { store: memoryStore(), bus: memoryBus({ clock: systemClock }), blobs: memoryBlobs() }
    : await openFolder(where)

async function client(at: number, rounds: number): Promise<void> {
  const journal = `journal ${at}`
  const text = 'x'.repeat(BYTES)
  let { tail } = await bus.journal.read(journal, 0, { limit: 0 })
  for (let round = 0; round < rounds; round++) {
    const id = `${at} ${tail}`
    const written = await store.insert(rows, id, { client: at, text })
    if (!written.ok) throw new Error(`${id} was there`)
    await store.swap(rows, id, written.record.revision, { client: at, text: `${text}!` })
    const appended = await bus.journal.append(journal, tail + 1, [JSON.stringify(text)])
    if (!appended.ok) throw new Error(`${journal} was written by another`)
    tail = appended.tail
    await store.scan(rows, 'byClient', { eq: [at], order: 'desc', limit: 20 })
    await bus.journal.read(journal, tail - 10 > 0 ? tail - 10 : 0)
  }
  await blobs.put(Buffer.alloc(BLOB_BYTES, `blob ${at}`))
}

const all = (rounds: number) => Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at, rounds)))
await all(WARM_ROUNDS)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
await all(ROUNDS)
delay.disable()
const figures: LoopFigures = {
  longestMs: delay.max / NS,
  p99Ms: delay.percentile(99) / NS,
  writes: CLIENTS * ROUNDS * 3,
}
console.log(JSON.stringify(figures))
await store.close()
await bus.close()
await blobs.close()
