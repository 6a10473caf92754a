import { pause } from '../pause.ts'
import type { Threads } from '../threads.ts'
import { type Found, type Given, type LongText, parseBody } from './parse-worker.ts'

/** What the thread runs. */
const SCRIPT = `(given) => {
  const found = (${parseBody})(given)
  return { found, transfer: 'long' in found ? found.long.map(({ bytes }) => bytes) : [] }
}`

/** Characters that are put into texts before others have their turn. */
const TURN_CHARS = 1_048_576

/** Parses a body of a user in another thread; its bytes are given away. Rejects when the thread fails, or is closed. */
export async function parseApart(threads: Threads, userId: string, given: Given): Promise<Found> {
  const found = await threads.run<Found>(userId, { script: SCRIPT, given, transfer: [given.bytes] })
  if ('long' in found) await putBack(found.long)
  return found
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
