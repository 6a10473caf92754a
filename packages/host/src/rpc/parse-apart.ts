import { Worker } from 'node:worker_threads'
import { pause } from '../pause.ts'
import { type Found, type Given, type LongText, parseBody } from './parse-worker.ts'

/** Parses bodies in another thread. */
export interface Parser {
  /** Parses one body after the other; its bytes are given away. Rejects when the thread fails, or the parser is closed. */
  parse(given: Given): Promise<Found>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** What the thread runs. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const found = (${parseBody})(workerData)
parentPort.postMessage(found, 'long' in found ? found.long.map(({ bytes }) => bytes) : [])`

/** What a thread may have for what it parses: the longest body twice, with two bytes a character. */
const HEAP_MIB = 1_024
/** Characters that are put into texts before others have their turn. */
const TURN_CHARS = 1_048_576

/** Opens a parser. A thread lives as long as one body, so that nothing of it stays. */
export function openParser(): Parser {
  const ends = new Set<() => Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function inThread(given: Given): Promise<Found> {
    if (isClosed) throw new Error('the parser of long bodies is closed')
    const thread = new Worker(SOURCE, {
      ...{ eval: true, name: 'svc-body', env: {}, execArgv: [] },
      ...{ workerData: given, transferList: [given.bytes] },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    const end = () => thread.terminate()
    ends.add(end)
    try {
      return await new Promise<Found>((resolve, reject) => {
        thread.once('message', resolve).once('error', reject)
        thread.once('exit', (code) => reject(new Error(`the thread of a long body ended with ${code}`)))
      })
    } finally {
      ends.delete(end)
      await end()
    }
  }

  return {
    async parse(given) {
      const mine = last.then(() => inThread(given))
      last = mine.catch(() => {})
      const found = await mine
      if ('long' in found) await putBack(found.long)
      return found
    },
    async close() {
      isClosed = true
      await Promise.all([...ends].map((end) => end()))
    },
  }
}

/** Makes texts of the bytes: a piece of work that leaves others their turn. */
async function putBack(long: readonly LongText[]): Promise<void> {
  let chars = 0
  for (const { holder, key, bytes, isWide } of long) {
    const value = Buffer.from(bytes).toString(isWide ? 'utf16le' : 'latin1')
    bytes.transfer(0)
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
    chars += value.length
    if (chars < TURN_CHARS) continue
    chars = 0
    await pause()
  }
}
