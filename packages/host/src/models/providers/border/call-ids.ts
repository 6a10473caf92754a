import { createHash } from 'node:crypto'

/** The ids of tool calls that every server takes but Mistral's. */
const PLAIN = /^[A-Za-z0-9_-]{1,40}$/
const HASH_CHARS = 16

/**
 * Opens the ids of the tool calls of one conversation. An id that not every server takes gets another one, and so does
 * one that came before: servers count their calls anew in each answer, and refuse two of one id.
 */
export function openCallIds() {
  const current = new Map<string, string>()
  const taken = new Set<string>()
  return {
    /** The id of a call. */
    call(id: string): string {
      let wire = id
      for (let nth = 1; !PLAIN.test(wire) || taken.has(wire); nth += 1)
        wire = `call_${createHash('sha256').update(`${id} ${nth}`).digest('hex').slice(0, HASH_CHARS)}`
      taken.add(wire)
      current.set(id, wire)
      return wire
    },
    /** The id of the call whose result follows. */
    result: (id: string): string => current.get(id) ?? id,
  }
}
