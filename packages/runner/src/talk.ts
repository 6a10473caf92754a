import { isDeeper } from '@svc/contract/depth'
import type { Limits } from '@svc/contract/limits'
import type { Line } from '@svc/contract/lines'
import { JSONRPC } from '@svc/contract/stdio'
import type { Child, Ending } from './child.ts'
import { asBuffer, asciiOrUtf8 } from './line-text.ts'
import { type Read, readPayload } from './payload.ts'
import { replyId } from './reply-head.ts'
import { refuseReverse } from './reverse.ts'

/** A JSON object that came over the wire; nothing about its fields is known. */
export type Fields = Readonly<Record<string, unknown>>

/** What came from the plugin: a payload read on the short way, a whole reply, or the reason why there is none. */
export type Told =
  | { readonly kind: 'payload'; readonly read: Read }
  | { readonly kind: 'reply'; readonly message: Fields }
  | { readonly kind: 'too_long'; readonly bytes: number }
  | { readonly kind: 'too_deep' }
  | { readonly kind: 'ended'; readonly ending: Ending }

/** What came of one request; the last two come from this side. */
export type Answer = Told | { readonly kind: 'late' } | { readonly kind: 'aborted' }

/** A request that waits for its answer. */
interface Asked {
  readonly id: string
  readonly settle: (answer: Answer) => void
  readonly onProgress: ((progress: { type: string; data: unknown }) => void) | undefined
}

/** What a talk tells the outside. */
export interface TalkOptions {
  readonly limits: Limits
  /** A line that nobody waits for: its text, or `null` for a message, whose payload is not for the log. */
  readonly onNoise: (text: string | null) => void
}

/**
 * One request at a time over the lines of one process.
 *
 * Lines that are no JSON, or nest too deep to be read, are counted and skipped; ids are compared with their type; a
 * reply that nobody waits for spoils the process: its next reply could belong to anyone, so it is not used again.
 */
export function openTalk({ limits, onNoise }: TalkOptions) {
  let child: Child | undefined
  let asked: Asked | undefined
  let ending: Ending | undefined
  let work = 0
  let spoiled = false

  const settle = (answer: Answer) => {
    const waiting = asked
    asked = undefined
    work = 0
    waiting?.settle(answer)
  }

  const spoil = () => {
    spoiled = true
    if (!asked) void child?.kill()
  }

  /** A plugin that writes more than it answers is read in bursts; one that nobody asked is ended. */
  const tire = (bytes: number) => {
    work += 1 + Math.floor(bytes / limits.NOISE_LINE_BYTES)
    if (work < limits.NOISE_BURST_LINES) return
    work = 0
    if (asked) child?.rest()
    else spoil()
  }

  function onLine(line: Line) {
    if ('tooLong' in line) {
      settle({ kind: 'too_long', bytes: line.tooLong })
      return spoil()
    }
    const bytes = asBuffer(line)
    if (bytes.length <= limits.RESULT_DEPTH_MAX || !isDeeper(bytes, limits.RESULT_DEPTH_MAX))
      return onBytes(bytes)
    onDeep(bytes)
  }

  /** What nests too deep is never parsed; whether it answers somebody is told by its head alone. */
  function onDeep(bytes: Buffer) {
    const id = replyId(bytes)
    if (asked && id === asked.id) settle({ kind: 'too_deep' })
    else {
      const head = bytes.toString('utf8', 0, limits.NOISE_SHOWN_CHARS)
      onNoise(head.trimStart().startsWith('{') ? null : head)
    }
    if (id !== undefined) spoil()
    else tire(bytes.length)
  }

  function onBytes(bytes: Buffer) {
    const read = asked && readPayload(bytes, asked.id)
    if (read) return settle({ kind: 'payload', read })
    const { text } = asciiOrUtf8(bytes)
    const message = parse(text)
    if (message && isReply(message) && message.id === asked?.id) return settle({ kind: 'reply', message })
    if (message?.method !== undefined) onOwnMessage(message)
    else onNoise(message ? null : text)
    tire(bytes.length)
    if (message && isReply(message)) spoil()
  }

  function onOwnMessage(message: Fields): void {
    const params = fieldsOf(message.params)
    if (message.id !== undefined) {
      if (child && child.unread() <= limits.UNREAD_ANSWERS_MAX_BYTES) child.send(refuseReverse(message))
    } else if (message.method === 'progress' && asked && params?.id === asked.id) {
      const type = typeof params.type === 'string' ? params.type : 'progress'
      asked.onProgress?.({ type, data: params.data })
    }
  }

  return {
    onLine,
    /** Binds the process whose lines these are. */
    bind(process: Child): void {
      child = process
      void process.ended.then((how) => {
        ending = how
        spoiled = true
        settle({ kind: 'ended', ending })
      })
    },
    /** Sends a request line and waits for its answer. */
    ask(id: string, line: string, onProgress?: Asked['onProgress']): Promise<Answer> {
      if (ending) return Promise.resolve({ kind: 'ended', ending })
      return new Promise((resolve) => {
        asked = { id, settle: resolve, onProgress }
        child?.send(line)
      })
    },
    /** Ends the wait from this side. A reply that still comes spoils the process. */
    giveUp: (kind: 'late' | 'aborted') => settle({ kind }),
    /** Tells the plugin to stop working on a request. */
    cancel(id: string, reason: string): void {
      child?.send(JSON.stringify({ jsonrpc: JSONRPC, method: 'cancel', params: { id, reason } }))
    },
    /** Whether a request waits for its answer. */
    get isAsked(): boolean {
      return asked !== undefined
    },
    /** Whether a next request would be answered by this process and about this request. */
    get usable(): boolean {
      return !spoiled && asked === undefined
    },
  }
}

/** See `openTalk`. */
export type Talk = ReturnType<typeof openTalk>

const isReply = (message: Fields) => message.id !== undefined && message.method === undefined

/** A message is an object; what begins otherwise is not worth the cost of a failed parse. */
function parse(text: string): Fields | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The value as an object with fields; lists and scalars have none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
