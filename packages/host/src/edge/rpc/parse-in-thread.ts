import { pause } from '@svc/node'
import type { Threads } from '../../kernel/threads/threads.ts'
import { type LongText, type ParseOrder, type ParseResult, parseBody } from './parse-worker.ts'

/** What the thread runs. */
const SCRIPT = `(given) => {
  const found = (${parseBody})(given)
  return { found, transfer: 'long' in found ? found.long.map(({ bytes }) => bytes) : [] }
}`

/** Bytes that are put into texts before others have their turn: whole characters of two. */
const TURN_BYTES = 1_048_576

/**
 * Parses a body of a user in another thread; its bytes are given away. Long texts of the object under the name
 * `inBytes`, whose characters have one byte each, stay bytes. Rejects when the thread fails, or is closed.
 */
export async function parseInThread(
  threads: Threads,
  userId: string,
  given: ParseOrder,
  inBytes?: string,
): Promise<ParseResult> {
  const found = await threads.run<ParseResult>(userId, { script: SCRIPT, given, transfer: [given.bytes] })
  if ('long' in found)
    await putBack(found.long, inBytes === undefined ? null : memberOf(found.value, inBytes))
  return found
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : null

/** Makes texts of the bytes, but for those of one holder: a piece of work that leaves others their turn. */
async function putBack(long: readonly LongText[], holderInBytes: unknown): Promise<void> {
  let chars = 0
  for (const { holder, key, bytes, isWide } of long) {
    const set = (value: unknown) =>
      Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
    if (holder === holderInBytes && !isWide) {
      set(new Uint8Array(bytes))
      continue
    }
    const characters = Buffer.from(bytes)
    let text = ''
    for (let at = 0; at < characters.length; at += TURN_BYTES) {
      const end = Math.min(characters.length, at + TURN_BYTES)
      text += characters.toString(isWide ? 'utf16le' : 'latin1', at, end)
      chars += end - at
      if (chars < TURN_BYTES) continue
      chars = 0
      await pause()
    }
    set(text)
    bytes.transfer(0)
  }
}
