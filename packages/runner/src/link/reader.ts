import { joinBytes } from '@svc/contract/lines'
import { PACKET, PACKET_HEAD_BYTES } from './packet.ts'
import type { LinkBounds } from './writer.ts'

/** The head of a message as it came: JSON of an object whose `type` is text, and nothing else is known of it. */
export interface LinkHead {
  readonly type: string
  readonly [field: string]: unknown
}

/** What a reader tells, and asks. */
export interface LinkReaderParts {
  readonly limits: LinkBounds
  /** How long the body of a message with this head may be; `null`: it is dropped unread. */
  room(head: LinkHead): number | null
  onMessage(head: LinkHead, body: Uint8Array): void
  /** A body was longer than `room` said; what came of it was dropped, and so is the rest. */
  onTooLong(head: LinkHead): void
  /** So many bytes of parts were taken: the other side's window is to be told. */
  onTaken(bytes: number): void
  /** The other side took so many of ours. Returns whether it can have. */
  taken(bytes: number): boolean
}

/** One direction of a link. */
export interface LinkReader {
  /** Takes a packet. Returns a sentence if no correct writer would send it; then the link is over. */
  take(bytes: Uint8Array): string | null
}

/** A message of which parts came. */
interface Coming {
  /** Its text, for what that says may take many times as much; `null`: it is dropped. */
  head: Uint8Array | null
  readonly pieces: Uint8Array[]
  room: number
  bytes: number
}

const LINE_FEED = 0x0a
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Opens the reading side of a link. Whatever comes, it holds no more than `LINK_HELD_MAX_BYTES`, and of one message no
 * more than `room` says: parts are full but for the last, so that crumbs cost nothing, and a head stands whole in the
 * first, so that what nobody wants is let go before it is held.
 */
export function openLinkReader(parts: LinkReaderParts): LinkReader {
  const { limits } = parts
  const coming = new Map<number, Coming>()
  let heldBytes = 0
  let untoldBytes = 0

  function release(message: Coming): void {
    heldBytes -= message.pieces.reduce((sum, piece) => sum + piece.length, 0)
    message.pieces.length = 0
    message.head = null
  }

  /** The first part of a message: its head, and what of its body stands beside it. */
  function open(payload: Uint8Array): Coming | string {
    const read = readHead(payload, limits)
    if (typeof read === 'string') return read
    const room = parts.room(read.head)
    const head = room === null ? null : payload.subarray(0, payload.length - read.body.length - 1)
    return { head, pieces: [], room: room ?? 0, bytes: 0 }
  }

  function keep(message: Coming, payload: Uint8Array, body: Uint8Array): string | null {
    message.bytes += payload.length
    if (message.bytes > limits.LINK_MESSAGE_MAX_BYTES)
      return `a message may have ${limits.LINK_MESSAGE_MAX_BYTES} bytes`
    if (!message.head) return null
    message.room -= body.length
    if (message.room < 0) {
      const head = parseHead(message.head)
      release(message)
      if (head) parts.onTooLong(head)
      return null
    }
    message.pieces.push(body)
    heldBytes += body.length
    return heldBytes > limits.LINK_HELD_MAX_BYTES
      ? `messages under way may have ${limits.LINK_HELD_MAX_BYTES} bytes`
      : null
  }

  function takePart(number: number, payload: Uint8Array, isLast: boolean): string | null {
    const known = coming.get(number)
    const isFull = payload.length === limits.LINK_PART_BYTES
    if (isLast ? !known || payload.length > limits.LINK_PART_BYTES : !isFull)
      return `a part has ${limits.LINK_PART_BYTES} bytes, and no message begins with its last`
    if (!known && coming.size >= limits.LINK_HELD_MAX_BYTES / limits.LINK_PART_BYTES)
      return 'too many messages are under way'
    const message = known ?? open(payload)
    if (typeof message === 'string') return message
    coming.set(number, message)
    untoldBytes += payload.length
    const wrong = keep(message, payload, known ? payload : payload.subarray(payload.indexOf(LINE_FEED) + 1))
    if (wrong !== null) return wrong
    if (untoldBytes >= limits.LINK_WINDOW_BYTES / 4) {
      parts.onTaken(untoldBytes)
      untoldBytes = 0
    }
    if (isLast) {
      coming.delete(number)
      const head = message.head && parseHead(message.head)
      const body = joinBytes(message.pieces)
      release(message)
      if (head) parts.onMessage(head, body)
    }
    return null
  }

  function takeWhole(payload: Uint8Array): string | null {
    const read = payload.length > limits.LINK_PART_BYTES ? 'a packet is too long' : readHead(payload, limits)
    if (typeof read === 'string') return read
    const room = parts.room(read.head)
    if (room === null) return null
    if (read.body.length > room) parts.onTooLong(read.head)
    else parts.onMessage(read.head, read.body)
    return null
  }

  function takeDrop(number: number): string | null {
    const message = coming.get(number)
    if (!message) return 'a message that did not begin cannot be dropped'
    release(message)
    coming.delete(number)
    return null
  }

  return {
    take(bytes) {
      if (bytes.length < PACKET_HEAD_BYTES) return `a packet has at least ${PACKET_HEAD_BYTES} bytes`
      const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
      const payload = bytes.subarray(PACKET_HEAD_BYTES)
      switch (bytes[0]) {
        case PACKET.whole:
          return takeWhole(payload)
        case PACKET.part:
          return takePart(number, payload, false)
        case PACKET.last:
          return takePart(number, payload, true)
        case PACKET.drop:
          return takeDrop(number)
        case PACKET.taken:
          return parts.taken(number) ? null : 'more bytes were acknowledged than were sent'
        default:
          return 'there is no such packet'
      }
    },
  }
}

/** A head and what comes after it, or a sentence about what is wrong. */
function readHead(
  payload: Uint8Array,
  limits: LinkBounds,
): { readonly head: LinkHead; readonly body: Uint8Array } | string {
  const end = payload.subarray(0, limits.LINK_HEAD_MAX_BYTES + 1).indexOf(LINE_FEED)
  if (end === -1) return `a message begins with a head of at most ${limits.LINK_HEAD_MAX_BYTES} bytes`
  const head = parseHead(payload.subarray(0, end))
  return head ? { head, body: payload.subarray(end + 1) } : 'a head is the JSON of an object with a type'
}

function parseHead(bytes: Uint8Array): LinkHead | null {
  try {
    const head: unknown = JSON.parse(decoder.decode(bytes))
    const isHead =
      typeof head === 'object' && head !== null && 'type' in head && typeof head.type === 'string'
    return isHead ? (head as LinkHead) : null
  } catch {
    return null
  }
}
