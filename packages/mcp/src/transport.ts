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
          // The client takes a notification some moments later than a reply, which ends what the notification is of.
          if ('method' in whole) deliver(whole)
          else setImmediate(deliver, whole)
        },
        onNoise(bytes, isTooLong) {
          noise += 1
          // A server that floods is told of at its first line, its tenth, its hundredth …
          if (Number.isInteger(Math.log10(noise)))
            log(`skipped a line of ${bytes} bytes that is no message (${noise} in all)`)
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

/** A reply that is none by JSON-RPC reads as an error: the client drops it, and would wait for another one. */
export function wellFormed(message: object): object {
  const { id, method, result, error } = message as Readonly<Record<string, unknown>>
  if (id === undefined || method !== undefined || fieldsOf(result)) return { ...message, jsonrpc: JSONRPC }
  const { code, message: words, data } = fieldsOf(error) ?? {}
  return {
    ...{ jsonrpc: JSONRPC, id },
    error: {
      code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      message: typeof words === 'string' ? words : 'the MCP server answered with no result',
      data,
    },
  }
}
