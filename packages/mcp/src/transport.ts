import type { Transport } from '@modelcontextprotocol/client'
import { JSONRPC, type LineId } from '@svc/contract/stdio'
import { openDoubts } from './doubts.ts'
import { tidyHello } from './hello.ts'
import type { ServerProcess } from './server-process.ts'
import { type Fields, fieldsOf } from './tool-list.ts'

/** What is told of a server besides its messages. */
export interface TransportOptions {
  /** Takes a line for people. */
  readonly log: (sentence: string) => void
  /** A line was too long: it may have been the answer that somebody waits for. */
  readonly onTooLong: () => void
  /** The server has ended, and how; the sentence goes on behind "the MCP server". */
  readonly onEnd: (sentence: string) => void
}

/** The lines of a server, and the calls that its client gave up. */
export interface ServerTransport extends Transport {
  /** Resolves when the server has answered each call that was cancelled, or has ended. */
  stopped(): Promise<void>
}

const INTERNAL_ERROR = -32_603

/** The lines of a server as the client takes them. A call that was cancelled is followed until the server answers it. */
export function openTransport(
  server: ServerProcess,
  { log, onTooLong, onEnd }: TransportOptions,
): ServerTransport {
  let noise = 0
  const called = new Set<unknown>()
  const cancelled = new Set<unknown>()
  let stopped = Promise.withResolvers<void>()
  /** What asks the server who it is. */
  let hello: Fields = {}
  /** Notifications since the last reply: some servers answer them with an error, which has no id then. */
  let untold = 0

  /** Follows what the client sends of calls. */
  const note = (message: Fields) => {
    const { id, method, params } = message
    if (method === 'initialize') hello = message
    if (method === 'tools/call') called.add(id)
    if (id === undefined) untold += 1
    const { requestId } = fieldsOf(params) ?? {}
    if (method !== 'notifications/cancelled' || !called.delete(requestId)) return
    if (cancelled.size === 0) stopped = Promise.withResolvers()
    cancelled.add(requestId)
  }

  /** Whether nobody waits for a reply: its call was cancelled. */
  const isLate = (id: unknown) => {
    called.delete(id)
    if (!cancelled.delete(id)) return false
    if (cancelled.size === 0) stopped.resolve()
    return true
  }

  const deliver = (message: object) => {
    try {
      transport.onmessage?.(message as never)
    } catch (error) {
      log(`skipped a message: ${error instanceof Error ? error.name : 'it cannot be read'}`)
    }
  }

  const doubts = openDoubts((id, message) => {
    if (!isLate(id)) deliver({ jsonrpc: JSONRPC, id, error: { code: INTERNAL_ERROR, message } })
  })

  const transport: ServerTransport = {
    async start() {
      server.listen({
        onMessage(message) {
          const whole = wellFormed(message)
          if (!whole) {
            if ('error' in message && untold > 0) untold -= 1
            else doubts.lookAtNameless(message)
            return log('skipped a message that is no request, no notification and no reply')
          }
          // The client takes a notification some moments later than a reply, which ends what the notification is of.
          if ('method' in whole) return deliver(whole)
          const { id, result } = whole as { readonly id: LineId; readonly result?: Fields }
          doubts.answered(id)
          untold = 0
          const isHello = result !== undefined && id === hello.id
          const taken = isHello ? { ...whole, result: tidyHello(result, fieldsOf(hello.params), log) } : whole
          if (!isLate(id)) setImmediate(deliver, taken)
        },
        onOpenLine: doubts.lookAtOpen,
        onNoise(line) {
          const isTooLong = 'tooLong' in line
          const bytes = isTooLong ? line.tooLong : line.length
          if (!isTooLong) doubts.look(line)
          if (bytes === 0) return
          noise += 1
          // A server that floods is told of at its first line, its tenth, its hundredth …
          if (Number.isInteger(Math.log10(noise)))
            log(`skipped a line of ${bytes} bytes that is not a message (${noise} in all)`)
          if (isTooLong) onTooLong()
        },
        onEnd(sentence) {
          doubts.end()
          cancelled.clear()
          stopped.resolve()
          onEnd(sentence)
          transport.onclose?.()
        },
      })
    },
    async send(message) {
      note(message as unknown as Fields)
      if ('method' in message && 'id' in message) doubts.asked(message.id)
      server.send(message)
    },
    close: () => server.close(),
    stopped: () => (cancelled.size === 0 ? Promise.resolve() : stopped.promise),
  }
  return transport
}

/**
 * A message as the client takes it, which drops what has a member too many: a request, a notification, or a reply.
 * A reply has an id, and an error that is not null or a result; one that is none by MCP reads as an error, because
 * the client would wait for another. Any other member is left out. Nothing where it is none of the three.
 */
export function wellFormed(message: object): object | undefined {
  const { id, method, params, result, error } = message as Readonly<Record<string, unknown>>
  const jsonrpc = JSONRPC
  const isNamed = typeof id === 'string' || typeof id === 'number'
  if (typeof method === 'string') {
    const given = fieldsOf(params)
    return { jsonrpc, ...(isNamed && { id }), method, ...(given && { params: given }) }
  }
  if (!isNamed) return undefined
  // Ours are numbers; some servers write them as texts.
  const asked = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  const isError = error !== undefined && error !== null
  if (!isError && fieldsOf(result)) return { jsonrpc, id: asked, result }
  return { jsonrpc, id: asked, error: errorOf(isError ? error : undefined) }
}

/** An error as the client takes it; nothing: there was neither an error nor a result that is one. */
function errorOf(error: unknown): Fields {
  const { code, message, data } = fieldsOf(error) ?? { message: error }
  const isKnown = Number.isSafeInteger(code)
  const silent = error === undefined ? 'answered with no result' : 'answered with an error that says nothing'
  const words = typeof message === 'string' && message !== '' ? message : `the MCP server ${silent}`
  return {
    code: isKnown ? code : INTERNAL_ERROR,
    message: isKnown || code === undefined || code === null ? words : `${code}: ${words}`,
    ...(data !== undefined && data !== null && { data }),
  }
}
