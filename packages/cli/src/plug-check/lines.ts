import { isUtf8 } from 'node:buffer'
import type { Limits } from '@svc/contract'
import type { Line } from '@svc/contract/lines'
import { type MeantLine, meantLines, meantSentence, notUtf8 } from '@svc/contract/meant-line'
import { isSubcall, JSONRPC, type LineId } from '@svc/contract/stdio'
import { fieldsOf } from '../project/fields.ts'
import { isReply, type Message } from './message.ts'

/** Where the lines of one process go. */
export interface LinesOptions {
  readonly limits: Limits
  readonly onMessage: (message: Message) => void
  /** A line that is no message of the wire, in a sentence. */
  readonly onNoise: (problem: string) => void
  /** It wrote what is meant as a message. */
  readonly onMeant: (line: MeantLine) => void
  /** Whether a request with this id waits. */
  readonly waits: (id: LineId) => boolean
  /** It writes without end. */
  readonly onFlood: () => void
  /** Takes the line that answers a request of the plugin's own. */
  readonly reply: (line: string) => void
}

const METHOD_NOT_FOUND = -32_601
const REFUSED = -32_000

/** Judges the lines of one process as they come, and answers the plugin's own requests: there is no host behind a check. */
export function openLines({ limits, onMessage, onNoise, onMeant, waits, onFlood, reply }: LinesOptions) {
  const judge = meantLines()
  const shown = (text: string) =>
    JSON.stringify(
      text.length > limits.ARGUMENT_SHOWN_CHARS ? `${text.slice(0, limits.ARGUMENT_SHOWN_CHARS)}…` : text,
    )
  let lines = 0
  let from = performance.now()

  /** So many lines in a second are no progress of anything, and reading on would only cost. */
  function count(): void {
    const now = performance.now()
    if (now - from > SECOND_MS) {
      from = now
      lines = 0
    }
    lines += 1
    if (lines !== limits.NOISE_BURST_LINES * BURSTS) return
    onNoise(`it wrote ${lines} lines within a second`)
    onFlood()
  }

  function refuse({ id, method }: Message): void {
    const error = isSubcall(method)
      ? { code: REFUSED, message: 'there is no host behind this call', data: { name: 'permission_denied' } }
      : { code: METHOD_NOT_FOUND, message: 'there is no such request' }
    reply(JSON.stringify({ jsonrpc: JSONRPC, id: id ?? null, error }))
  }

  /** The message that a line holds; what it is instead is reported. */
  function read(line: Line): Message | undefined {
    if ('tooLong' in line) {
      onNoise(`it wrote a line of more than ${limits.LINE_MAX_BYTES} bytes, the longest there may be`)
      return undefined
    }
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()
    const message = parse(text)
    const meant = message ? !isUtf8(line) && notUtf8(line) : judge(line, waits)
    if (meant) {
      onNoise(meantSentence('it', meant))
      onMeant(meant)
      return undefined
    }
    if (!message)
      onNoise(
        text.trim() === ''
          ? 'it wrote an empty line'
          : `it wrote a line that is not a JSON object: ${shown(text)}`,
      )
    else if (message.jsonrpc !== JSONRPC)
      onNoise(`it wrote a message without "jsonrpc": "${JSONRPC}": ${shown(text)}`)
    else if (message.method === undefined && !isReply(message))
      onNoise(`it wrote a message with neither method, result nor error: ${shown(text)}`)
    return message
  }

  return {
    take(line: Line): void {
      count()
      const message = read(line)
      if (typeof message?.method === 'string' && message.id !== undefined) refuse(message)
      else if (message) onMessage(message)
    },
    /** The output has ended within a line of so many bytes. */
    end(heldBytes: number): void {
      if (heldBytes > 0) onNoise(`its last line of ${heldBytes} bytes does not end with a line feed`)
    },
  }
}

const SECOND_MS = 1_000
/** A burst of noise is what the runner lets through before it rests; so many of them in a second are a flood. */
const BURSTS = 20

function parse(text: string): Message | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
