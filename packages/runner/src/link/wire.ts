import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import { watchSilence } from './life.ts'
import { LINK_CLOSE } from './messages.ts'
import { type LinkReaderParts, openLinkReader } from './reader.ts'
import { openLinkWriter, type SentMessage } from './writer.ts'

/** What either end of a link needs of its side. */
export interface WireParts extends Pick<LinkReaderParts, 'room' | 'onMessage' | 'onTooLong'> {
  readonly clock: Clock
  readonly limits: Limits
  /** Called once, at once, however the link ends; nothing is heard after it. */
  onEnd(end: WireEnd): void
}

/** How a link ended: WebSocket's number, and its words. */
export interface WireEnd {
  readonly code: number
  readonly reason: string
}

/** A link as both of its ends hold it. */
export interface Wire {
  /** Sends a message; `null` where it is over the caps of a link. */
  send(head: object, body?: Uint8Array): SentMessage | null
  /** Bytes of small messages that wait. */
  readonly waitingBytes: number
  /** From now on a silence of so long ends the link. */
  watch(silentMs: number): void
  /** Ends it. Twice is harmless. */
  end(code: number, reason: string): void
  /** Resolves when the connection is gone. */
  readonly gone: Promise<void>
}

/** The open WebSocket of a link: one of `ws`, whose types an install of this package does not bring. */
export interface LinkSocket {
  readonly bufferedAmount: number
  send(bytes: Uint8Array, options: { readonly binary: true }, left: (error?: Error | null) => void): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'close', listener: (code: number, reason: Buffer) => void): unknown
}

/** WebSocket's number for a connection that broke. */
const BROKEN = 1006
/** WebSocket's bound of a reason is 123 bytes; what is not ASCII is not ours. */
const REASON_MAX_CHARS = 120

/** Makes one end of a link of an open WebSocket over `connection`. */
export function openWire(socket: LinkSocket, connection: Socket, parts: WireParts): Wire {
  const { clock, limits } = parts
  const { promise: gone, resolve: setGone } = Promise.withResolvers<void>()
  let isOver = false
  let life: ReturnType<typeof watchSilence> | undefined
  const writer = openLinkWriter(
    {
      get bufferedAmount() {
        return socket.bufferedAmount
      },
      send: (bytes, left) => socket.send(bytes, { binary: true }, left),
    },
    limits,
  )
  const reader = openLinkReader({
    limits,
    room: parts.room,
    onMessage: parts.onMessage,
    onTooLong: parts.onTooLong,
    onTaken: writer.confirmRead,
    taken: writer.taken,
  })
  const heard = () => life?.heard()

  function over(end: WireEnd): void {
    if (isOver) return
    isOver = true
    life?.stop()
    writer.close()
    parts.onEnd(end)
  }

  function end(code: number, reason: string): void {
    if (isOver) return
    socket.close(code, reason.replaceAll(/[^ -~]/g, '?').slice(0, REASON_MAX_CHARS))
    const stop = clock.setTimer(() => socket.terminate(), limits.LINK_CLOSE_MS)
    void gone.then(stop)
    over({ code, reason })
  }

  connection.on('data', heard)
  socket.on('message', (data, isBinary) => {
    if (isOver) return
    const wrong = isBinary ? reader.take(data as Buffer) : 'a packet is binary'
    if (wrong !== null) end(LINK_CLOSE.malformed, wrong)
  })
  socket.on('error', (error) => over({ code: BROKEN, reason: error.message }))
  socket.once('close', (code, reason) => {
    connection.off('data', heard)
    over({ code, reason: reason.toString() })
    setGone()
  })
  return {
    send: writer.send,
    get waitingBytes() {
      return writer.waitingBytes
    },
    watch(silentMs) {
      life?.stop()
      life = watchSilence({
        clock,
        silentMs,
        lookMs: limits.RUNNER_LOOK_MS,
        onSilent() {
          over({ code: BROKEN, reason: `no message came for ${silentMs} ms` })
          socket.terminate()
        },
      })
    },
    end,
    gone,
  }
}
