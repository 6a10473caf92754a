import type { Transport } from '@modelcontextprotocol/client'
import { JSONRPC } from '@svc/contract/stdio'
import type { ServerProcess } from './server-process.ts'
import { fieldsOf } from './tool-list.ts'

/** What is told of a server besides its messages. */
export interface TransportOptions {
  /** Takes a line for people. */
  readonly log: (sentence: string) => void
  /** A line was too long: it may have been the answer that somebody waits for. */
  readonly onTooLong: () => void
  /** The server has ended, and how; the sentence goes on behind "the MCP server". */
  readonly onEnd: (sentence: string) => void
}

const INTERNAL_ERROR = -32_603

/** The lines of a server as the client takes them. */
export function openTransport(server: ServerProcess, { log, onTooLong, onEnd }: TransportOptions): Transport {
  let noise = 0
  const deliver = (message: object) => {
    try {
      transport.onmessage?.(message as never)
    } catch (error) {
      log(`skipped a message: ${error instanceof Error ? error.name : 'it cannot be read'}`)
    }
  }

  const transport: Transport = {
    async start() {
      server.listen({
        onMessage(message) {
          const whole = wellFormed(message)
          if (!whole) return log('skipped a message that is no request, no notification and no reply')
          // The client takes a notification some moments later than a reply, which ends what the notification is of.
          if ('method' in whole) deliver(whole)
          else setImmediate(deliver, whole)
        },
        onNoise(bytes, isTooLong) {
          noise += 1
          // A server that floods is told of at its first line, its tenth, its hundredth …
          if (Number.isInteger(Math.log10(noise)))
            log(`skipped a line of ${bytes} bytes that is not a message (${noise} in all)`)
          if (isTooLong) onTooLong()
        },
        onEnd(sentence) {
          onEnd(sentence)
          transport.onclose?.()
        },
      })
    },
    send: async (message) => server.send(message),
    close: () => server.close(),
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
  const isError = error !== undefined && error !== null
  if (!isError && fieldsOf(result)) return { jsonrpc, id, result }
  const { code, message: words, data } = fieldsOf(error) ?? {}
  return {
    jsonrpc,
    id,
    error: {
      code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      message: typeof words === 'string' ? words : 'the MCP server answered with no result',
      ...(data !== undefined && { data }),
    },
  }
}
