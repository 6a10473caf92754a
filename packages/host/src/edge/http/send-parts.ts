import type { ServerResponse } from 'node:http'
import { inTurns } from '@svc/node'
import { piecesOf } from '../../kernel/json.ts'
import type { Readers } from '../../kernel/stalled.ts'

/** Characters of an answer that are sent before others have their turn. */
const PART_CHARS = 524_288

/** Whether a text is sent in parts. */
export const isLong = (text: string): boolean => text.length > PART_CHARS

/** A text, and its parts where it was written in parts. */
interface LongText {
  readonly text: string
  readonly parts?: Iterable<string> | undefined
}

/** Sends a long text in parts: others have a turn between two. */
export const sendLong = (
  res: ServerResponse,
  type: string,
  { text, parts = piecesOf(text, PART_CHARS) }: LongText,
  readers: Readers,
): Promise<void> => sendParts(res, type, inTurns(parts, 1), readers)

/** Sends texts as they come, as fast as they are taken. */
export async function sendParts(
  res: ServerResponse,
  type: string,
  parts: AsyncIterable<string>,
  readers: Readers,
): Promise<void> {
  res.writeHead(res.statusCode, { 'content-type': type })
  for await (const text of parts) {
    if (res.destroyed) return
    if (res.write(text)) continue
    readers.watch(res.req.socket)
    await drained(res)
  }
  res.end()
  readers.watch(res.req.socket)
}

const drained = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
  })
