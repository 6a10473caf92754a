import type { ChatChunk } from './chat-chunk.ts'

/** The fields of a delta that hold plain text. */
export type TextField = 'content' | 'reasoning_content' | 'reasoning'

/** Where the text of a field is in the JSON text of an event; what else is there so named is ruled out by parsing. */
const places: Readonly<Record<TextField, RegExp>> = {
  content: /"content"\s*:\s*"((?:[^"\\]|\\.)*)"/,
  reasoning_content: /"reasoning_content"\s*:\s*"((?:[^"\\]|\\.)*)"/,
  reasoning: /"reasoning"\s*:\s*"((?:[^"\\]|\\.)*)"/,
}
/** Text that is in JSON as it is. Of a longer one the engine would make a part of all the text that it came in, and keep that. */
const PLAIN = /^[ !#-[\]-\uffff]{0,12}$/
/** Characters of an event that others are compared with: most have a few hundred. */
const LEARNED_CHARS = 4_096
/** How many events in a row may be learned without one that is alike. */
const UNUSED_MAX = 4

/** An event around its text, as it is in the stream. */
interface Pattern {
  readonly field: TextField
  readonly head: string
  readonly tail: string
}

/**
 * Opens what reads events that are like the last one that was learned but for the text of one field, as nearly all of an
 * answer are: without parsing them, for that costs more than all else that is done with them.
 */
export function openAlike(hear: (field: TextField, text: string) => void) {
  let pattern: Pattern | null = null
  let unused = 0
  return {
    /** Whether it is worth asking. */
    isOpen: (): boolean => pattern !== null || unused < UNUSED_MAX,
    /** Learns the data of an event that was read as `chunk`. */
    learn(data: string, chunk: ChatChunk): void {
      pattern = null
      if (unused === UNUSED_MAX || data.length > LEARNED_CHARS || data.includes('\n')) return
      const field = onlyField(chunk)
      pattern = field && patternOf(data, field, chunk.choices[0]?.delta?.[field])
      if (pattern) unused += 1
    },
    /** Has none be alike until another is learned. */
    forget(): void {
      pattern = null
    },
    /** Reads the events from `at` on, which is where one begins, as far as they are alike; returns where the next one begins. */
    read(text: string, at: number): number {
      if (!pattern) return at
      const { field, head, tail } = pattern
      let next = at
      while (text.slice(next, next + head.length) === head) {
        const begin = next + head.length
        let end = text.indexOf('"', begin)
        while (end !== -1 && text[end - 1] === '\\') end = text.indexOf('"', end + 1)
        if (end === -1 || text.slice(end, end + tail.length) !== tail) break
        const said = unescaped(text.slice(begin, end))
        if (said === null) break
        hear(field, said)
        unused = 0
        next = end + tail.length
      }
      return next
    },
  }
}

/**
 * The one field of a chunk that says something; `null` where none or more does. What it tells besides, as its finish
 * reason, is the same in those that are alike, and so not told again.
 */
function onlyField({ choices: [choice] }: ChatChunk): TextField | null {
  if (!choice?.delta) return null
  const { content, refusal, reasoning_content, reasoning, tool_calls } = choice.delta
  if (tool_calls?.length || (typeof refusal === 'string' && refusal)) return null
  if (!(reasoning_content ?? reasoning)) return typeof content === 'string' && content ? 'content' : null
  if (content) return null
  return reasoning_content == null ? 'reasoning' : 'reasoning_content'
}

/** What is around the text of a field. A letter more at the place that was found has to be one more in the field. */
function patternOf(data: string, field: TextField, said: unknown): Pattern | null {
  const found = places[field].exec(data)
  const [whole = '', literal = ''] = found ?? []
  const end = (found?.index ?? 0) + whole.length - 1
  const [head, tail] = [data.slice(0, end - literal.length), data.slice(end)]
  if (!found || JSON.parse(`${head}x${data.slice(head.length)}`).choices[0].delta[field] !== `x${said}`)
    return null
  return { field, head: `data: ${head}`, tail: `${tail}\n\n` }
}

/** What the inside of a JSON string stands for; `null`: it is not one. */
function unescaped(literal: string): string | null {
  if (PLAIN.test(literal)) return literal
  try {
    return JSON.parse(`"${literal}"`)
  } catch {
    return null
  }
}
