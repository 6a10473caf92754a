import { copyInTurns } from '@svc/state'
import type { Threads } from '../../kernel/threads/threads.ts'
import { faultAt, patterns, svgFault } from './svg.ts'

/** From this size on an SVG is searched in another thread: ten patterns go through each of its bytes. */
const APART_BYTES = 131_072

/** What the thread runs: it names nothing from outside. */
const SCRIPT = `({ bytes, patterns }) => {
  const text = Buffer.from(bytes).toString()
  return { found: patterns.findIndex((pattern) => pattern.test(text)), transfer: [] }
}`

/** Why an SVG of a user does not stand alone (`svgFault`); a large one leaves others their turn. */
export async function svgFaultInTurns(
  threads: Threads,
  userId: string,
  bytes: Buffer,
): Promise<string | null> {
  if (bytes.length < APART_BYTES) return svgFault(bytes)
  const copy = await copyInTurns(bytes)
  const given = { bytes: copy, patterns }
  return faultAt(bytes, await threads.run<number>(userId, { script: SCRIPT, given, transfer: [copy.buffer] }))
}
