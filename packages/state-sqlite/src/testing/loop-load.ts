// Writes and reads for a while, and prints how long the event loop was blocked at most: `node loop-load.ts DIR` over a
// folder, `node loop-load.ts echo` over a thread that only sends back as many bytes.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { collection } from '@svc/state'
import { openFolder } from '../index.ts'

/** What one process measured. */
export interface LoopFigures {
  readonly longestMs: number
  readonly turns: number
}

const CLIENTS = 32
const ROUNDS = 30
const WARM_ROUNDS = 5
const SCANNED = 20
const TEXT = 'x'.repeat(2_000)
const NS = 1e6

/** What a client does in a round, one after the other. */
interface Work {
  write(client: number, round: number): Promise<void>
  append(client: number, round: number): Promise<void>
  scan(client: number): Promise<unknown>
  close(): Promise<void>
}

async function folderWork(dir: string): Promise<Work> {
  const rows = collection({
    name: 'rows',
    row: {} as { client: number; text: string },
    indexes: { byClient: ({ client }) => [client] },
  })
  const { store, bus, close } = await openFolder(dir)
  return {
    async write(client, round) {
      const { ok } = await store.insert(rows, `${client} ${round}`, { client, text: TEXT })
      if (!ok) throw new Error(`the row ${client} ${round} was there`)
    },
    async append(client, round) {
      const { ok } = await bus.journal.append(`journal ${client}`, round + 1, [JSON.stringify(TEXT)])
      if (!ok) throw new Error(`journal ${client} was not at ${round}`)
    },
    scan: (client) => store.scan(rows, 'byClient', { eq: [client], order: 'desc', limit: SCANNED }),
    close,
  }
}

function echoWork(): Work {
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ([n, , size]) => parentPort.postMessage([n, Array.from({ length: size }, () => '${TEXT}')]))`
  const worker = new Worker(code, { eval: true })
  const waiting = new Map<number, (given: unknown) => void>()
  worker.on('message', ([n, given]) => {
    waiting.get(n)?.(given)
    waiting.delete(n)
  })
  let last = 0
  const call = (sent: string, size: number) =>
    new Promise<unknown>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      worker.postMessage([last, sent, size])
    })
  return {
    write: async () => void (await call(TEXT, 0)),
    append: async () => void (await call(TEXT, 0)),
    scan: () => call('', SCANNED),
    close: async () => void (await worker.terminate()),
  }
}

const where = process.argv[2] ?? ''
const work = where === 'echo' ? echoWork() : await folderWork(where)

async function client(at: number, from: number, to: number): Promise<void> {
  for (let round = from; round < to; round++) {
    await work.write(at, round)
    await work.append(at, round)
    await work.scan(at)
  }
}
const all = (from: number, to: number) =>
  Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at, from, to)))

await all(0, WARM_ROUNDS)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
await all(WARM_ROUNDS, ROUNDS)
delay.disable()
console.log(JSON.stringify({ longestMs: delay.max / NS, turns: delay.count } satisfies LoopFigures))
await work.close()
