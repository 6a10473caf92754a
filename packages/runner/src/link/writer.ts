import type { limits as table } from '@svc/contract/limits'
import { PACKET, packet } from './packet.ts'

/** Where packets go: a WebSocket. */
export interface LinkPipe {
  /** Bytes that were given to it and have not left it. */
  readonly bufferedAmount: number
  /** `left` is called when the packet has left, or never will. */
  send(bytes: Uint8Array, left: () => void): void
}

/** The bounds of one direction of a link. */
export type LinkBounds = Pick<
  Record<keyof typeof table, number>,
  | 'LINK_PART_BYTES'
  | 'LINK_HEAD_MAX_BYTES'
  | 'LINK_BUFFER_MAX_BYTES'
  | 'LINK_WINDOW_BYTES'
  | 'LINK_MESSAGE_MAX_BYTES'
  | 'LINK_HELD_MAX_BYTES'
>

/** A message that was given to a writer. */
export interface SentMessage {
  /** What of it has not left is not sent. Returns whether the other side never sees it whole. */
  drop(): boolean
}

/** One direction of a link. */
export interface LinkWriter {
  /** Sends a message; `null` where its head or all of it is over the caps of a link. */
  send(head: object, body?: Uint8Array): SentMessage | null
  /** The other side took so many bytes of parts. Returns whether it can have. */
  taken(bytes: number): boolean
  /** Sends a word to the reader of the other side's parts. */
  confirmRead(bytes: number): void
  /** Bytes of small messages that wait. */
  readonly waitingBytes: number
  /** Nothing is sent any more. */
  close(): void
}

/** A message that takes several packets. */
interface Long {
  readonly number: number
  readonly head: Uint8Array
  body: Uint8Array
  readonly bytes: number
  at: number
}

const LINE_FEED = 0x0a
const nothing = new Uint8Array()
const encoder = new TextEncoder()

/**
 * Opens the writing side of a link. What fits into one packet goes ahead; longer messages go in parts, one of each in
 * turn, and after `LINK_PART_BYTES` of small ones a part has its turn too. So neither holds up the other. No more than
 * `LINK_BUFFER_MAX_BYTES` lie in the pipe and `LINK_WINDOW_BYTES` of parts between here and the reader, so that what is
 * small never waits behind more than that; and no more than `LINK_HELD_MAX_BYTES` are begun, which the reader holds.
 */
export function openLinkWriter(pipe: LinkPipe, limits: LinkBounds): LinkWriter {
  /** Few, short, and ahead of all: what makes room on the other side. */
  const words: Uint8Array[] = []
  /** Parts that were taken and not yet told: of a reader that reads nothing, one number. */
  let takenBytes = 0
  const small: Uint8Array[] = []
  const waiting: Long[] = []
  let begun: Long[] = []
  let smallBytes = 0
  let smallRun = 0
  let heldBytes = 0
  let windowBytes = 0
  let numbers = 0
  let isClosed = false

  function begin(): void {
    for (
      let next = waiting[0];
      next && heldBytes + next.bytes <= limits.LINK_HELD_MAX_BYTES;
      next = waiting[0]
    ) {
      waiting.shift()
      heldBytes += next.bytes
      begun.push(next)
    }
  }

  function nextPart(): Uint8Array | undefined {
    const long = begun[0]
    if (!long || windowBytes + limits.LINK_PART_BYTES > limits.LINK_WINDOW_BYTES) return undefined
    begun.shift()
    const end = Math.min(long.at + limits.LINK_PART_BYTES, long.bytes)
    const isLast = end === long.bytes
    const bytes = packet(isLast ? PACKET.last : PACKET.part, long.number, ...stretch(long, long.at, end))
    windowBytes += end - long.at
    long.at = end
    if (!isLast) begun.push(long)
    else {
      heldBytes -= long.bytes
      long.body = nothing
    }
    return bytes
  }

  function nextSmall(): Uint8Array | undefined {
    const bytes = small.shift()
    smallBytes -= bytes?.length ?? 0
    smallRun += bytes?.length ?? 0
    return bytes
  }

  function nextTaken(): Uint8Array | undefined {
    if (takenBytes === 0) return undefined
    const bytes = packet(PACKET.taken, takenBytes)
    takenBytes = 0
    return bytes
  }

  function next(): Uint8Array | undefined {
    begin()
    const word = nextTaken() ?? words.shift()
    if (word) return word
    const bytes =
      smallRun < limits.LINK_PART_BYTES ? (nextSmall() ?? nextPart()) : (nextPart() ?? nextSmall())
    if (!bytes || bytes[0] === PACKET.part || bytes[0] === PACKET.last) smallRun = 0
    return bytes
  }

  function pump(): void {
    while (!isClosed && pipe.bufferedAmount < limits.LINK_BUFFER_MAX_BYTES) {
      const bytes = next()
      if (!bytes) return
      pipe.send(bytes, pump)
    }
  }

  function putSmall(bytes: Uint8Array): void {
    if (isClosed) return
    small.push(bytes)
    smallBytes += bytes.length
    pump()
  }

  function dropSmall(bytes: Uint8Array): boolean {
    const at = small.indexOf(bytes)
    if (at === -1) return false
    small.splice(at, 1)
    smallBytes -= bytes.length
    return true
  }

  function dropLong(long: Long): boolean {
    if (long.at === long.bytes) return false
    if (waiting.includes(long)) {
      waiting.splice(waiting.indexOf(long), 1)
      return true
    }
    if (!begun.includes(long)) return true
    begun = begun.filter((one) => one !== long)
    heldBytes -= long.bytes
    if (long.at > 0) words.push(packet(PACKET.drop, long.number))
    pump()
    return true
  }

  return {
    send(message, body = nothing) {
      const head = encoder.encode(JSON.stringify(message))
      const bytes = head.length + 1 + body.length
      if (head.length > limits.LINK_HEAD_MAX_BYTES || bytes > limits.LINK_MESSAGE_MAX_BYTES) return null
      if (bytes <= limits.LINK_PART_BYTES) {
        const whole = packet(PACKET.whole, 0, head, lineFeed, body)
        putSmall(whole)
        return { drop: () => dropSmall(whole) }
      }
      numbers = (numbers + 1) >>> 0
      const long: Long = { number: numbers, head, body, bytes, at: 0 }
      if (!isClosed) waiting.push(long)
      pump()
      return { drop: () => dropLong(long) }
    },
    taken(bytes) {
      if (bytes > windowBytes) return false
      windowBytes -= bytes
      pump()
      return true
    },
    confirmRead(bytes) {
      takenBytes += bytes
      pump()
    },
    get waitingBytes() {
      return smallBytes
    },
    close() {
      isClosed = true
      words.length = 0
      small.length = 0
      waiting.length = 0
      begun = []
    },
  }
}

const lineFeed = Uint8Array.of(LINE_FEED)

/** The bytes of a message from one place to another: its head, a line feed, its body. */
function stretch({ head, body }: Long, from: number, to: number): Uint8Array[] {
  const bodyAt = head.length + 1
  const pieces: Uint8Array[] = []
  if (from < head.length) pieces.push(head.subarray(from, Math.min(to, head.length)))
  if (from <= head.length && to > head.length) pieces.push(lineFeed)
  if (to > bodyAt) pieces.push(body.subarray(Math.max(0, from - bodyAt), to - bodyAt))
  return pieces
}
