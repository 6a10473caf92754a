import type { Socket } from 'node:net'
import { type Limits, refuse, WINDOW_TOKEN_HEADER } from '@svc/contract'
import { CLOSING } from '@svc/contract/wire'
import type { Clock } from '@svc/node'
import type { WebSocket } from 'ws'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { BodySlot } from '../../kernel/limiter/body-slot.ts'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import type { Reader, Unread } from '../../kernel/limiter/unread.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Head } from '../../kernel/request/head.ts'
import { paths } from '../../kernel/request/paths.ts'
import type { Readers } from '../../kernel/stalled.ts'
import { attempt, every, type MaybePromise, when } from '../../kernel/when.ts'
import { type Gateway, isAdmission } from '../rpc/gateway.ts'
import { closingReply, type Reply, refusal } from '../rpc/reply.ts'
import { EVENTS, SocketEvents, type SocketEventsParts } from './call-socket-events.ts'
import { SocketWriter } from './socket-writer.ts'

/** One body under way on a call socket: whether anybody waits for its answer. */
class Exchange {
  #isGone = false
  #controller: AbortController | undefined

  get isGone(): boolean {
    return this.#isGone
  }

  /** The signal of nobody waiting; made on demand, because most calls never look at it. */
  readonly gone = (): AbortSignal => {
    this.#controller ??= new AbortController()
    if (this.#isGone) this.#controller.abort()
    return this.#controller.signal
  }

  giveUp(): void {
    this.#isGone = true
    this.#controller?.abort()
  }
}

/** What all call sockets of a host need. */
export interface CallSocketParts extends SocketEventsParts {
  readonly gateway: Gateway
  readonly clock: Clock
  readonly limits: Limits
  readonly limiter: Limiter
  readonly bodies: Bodies
  readonly unread: Unread
  readonly readers: Readers
  readonly log: Logger
}

/** Whose a call socket is. */
export interface SocketOwner {
  readonly userId: string
  /** Of the request that opened it. */
  readonly head: Head
  /** What came of a frame that is not whole yet. */
  readonly frames: BodySlot
}

/** How a socket is closed; WebSocket's own numbers (RFC 6455 §7.4.1). */
const CLOSE = { leaving: 1001, noText: 1003, noFrame: 1008, busy: 1013 } as const

const LINE_FEED = 0x0a
/** What comes before the line feed: `<n> <token>`, or `<n>` where there is none. */
const FRAME_HEAD = /^(\d{1,15})(?: (.*))?$/

/**
 * Carries the bodies of one socket (its frames: `@svc/contract/wire`); each is judged by the gateway, as a POST is. A
 * class, because a host has one for each page that is open: its methods are made once.
 */
export class CallSocket {
  readonly #socket: WebSocket
  readonly #owner: SocketOwner
  readonly #parts: CallSocketParts
  readonly #writer: SocketWriter
  readonly #reader: Reader
  readonly #events: SocketEvents
  readonly #open = new Map<string, Exchange>()
  #isLeaving = false
  /** Answers that are not written yet. */
  #underWay = 0

  constructor(socket: WebSocket, connection: Socket, owner: SocketOwner, parts: CallSocketParts) {
    this.#socket = socket
    this.#owner = owner
    this.#parts = parts
    this.#reader = parts.unread.of(owner.userId)
    this.#writer = new SocketWriter(socket, connection, this.#reader, parts)
    this.#events = new SocketEvents(parts, this.#writer, owner.head)
    // Before the parser has it: what is read at once would else count until the next frame.
    connection.prependListener('data', (chunk: Buffer) => this.#count(chunk))
    socket.on('message', (data, isBinary) => this.#takeMessage(data as Buffer, isBinary))
    // A broken socket also closes, at the latest when its other end has had time to say so.
    socket.on('error', (error) => {
      parts.log.debug({ err: error }, 'a call socket broke')
      this.#giveUp()
    })
    socket.on('close', () => {
      this.#writer.end()
      this.#giveUp()
    })
  }

  /** The head of the request that opened it. */
  get head(): Head {
    return this.#owner.head
  }

  /** Takes no more bodies, and closes when the ones under way are answered. */
  drain(): void {
    this.#isLeaving = true
    this.#rest()
  }

  /** Closes at once: its user may act no more. */
  cut(reason: string): void {
    this.#refuseFrame(CLOSE.noFrame, reason)
  }

  #rest(): void {
    if (!this.#isLeaving || this.#open.size > 0) return
    this.#writer.flush()
    this.#socket.close(CLOSE.leaving, CLOSING)
  }

  #giveUp(): void {
    this.#events.stop()
    for (const exchange of this.#open.values()) exchange.giveUp()
  }

  #refuseFrame(code: number, reason: string): void {
    this.#socket.close(code, reason)
    this.#giveUp()
  }

  #count(chunk: Buffer): void {
    try {
      this.#owner.frames.take(chunk.length)
    } catch {
      this.#refuseFrame(CLOSE.busy, 'too many bytes of incomplete frames of this user are waiting')
    }
  }

  #takeMessage(data: Buffer, isBinary: boolean): void {
    const { bodies, limits } = this.#parts
    this.#owner.frames.clear()
    // What comes behind the frame that a socket was closed for is not looked at.
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (isBinary) this.#refuseFrame(CLOSE.noText, 'frames are text')
    else {
      this.#take(data)
      if (data.length > limits.BODY_SMALL_BYTES) this.#writer.pauseUntil(bodies.turn(this.#owner.userId))
    }
  }

  #take(frame: Buffer): void {
    const max = this.#parts.limits.CALL_SOCKET_HEAD_MAX_BYTES
    const end = frame.subarray(0, max).indexOf(LINE_FEED)
    const [, n, token] = FRAME_HEAD.exec(frame.toString('latin1', 0, end === -1 ? max : end)) ?? []
    if (n === undefined || (token === undefined) !== (end === -1))
      this.#refuseFrame(CLOSE.noFrame, 'a frame is "<n> <token>\\n<body>", or "<n>"')
    else if (token === undefined) n === EVENTS ? this.#events.stop() : this.#open.get(n)?.giveUp()
    else if (this.#open.has(n)) this.#refuseFrame(CLOSE.noFrame, `body ${n} is already in progress`)
    else if (this.#isLeaving) this.#refuseBody(n)
    else if (n === EVENTS) this.#openEvents(token, frame.subarray(end + 1))
    else this.#carry(n, token, frame.subarray(end + 1))
  }

  #openEvents(lastEventId: string, query: Buffer): void {
    // What a request for it would hold in its head.
    if (query.length > this.#parts.limits.BODY_SMALL_BYTES)
      this.#refuseFrame(CLOSE.noFrame, 'the query of the event stream is too long')
    else void this.#events.open(lastEventId, query.toString())
  }

  /** While others are under way, the page need not wait for the end of the socket. */
  #refuseBody(n: string): void {
    const { status, text } = closingReply()
    this.#writer.add(`${n} ${status} ${text}\n`, this.#underWay)
  }

  #carry(n: string, token: string, body: Buffer): void {
    const { gateway, limits, log } = this.#parts
    const isFull = this.#open.size >= limits.CALL_SOCKET_BODIES_MAX
    const admission = isFull ? tooMany(limits) : gateway.admit(new BodyHead(this.#owner.head, token))
    const exchange = new Exchange()
    this.#open.set(n, exchange)
    const sent = attempt<unknown>(
      () =>
        when(admission, (admitted) =>
          when(
            isAdmission(admitted) ? gateway.answer(admitted, body, exchange.gone, this.#reader) : admitted,
            (reply) => this.#answer(n, reply, exchange),
          ),
        ),
      (error) => log.error({ err: error }, 'an answer failed'),
    )
    void when(sent, () => {
      this.#open.delete(n)
      this.#rest()
    })
  }

  /** Writes the answers to a body, each when it is ready. */
  #answer(n: string, reply: Reply, exchange: Exchange): MaybePromise<unknown> {
    const write = (text: string) => {
      this.#underWay -= 1
      if (!exchange.isGone) this.#writer.add(`${n} ${reply.status} ${text}\n`, this.#underWay)
    }
    const answers = 'text' in reply ? [reply.text] : reply.answers
    if ('text' in reply && reply.isRateLimited)
      this.#writer.pauseUntil(this.#parts.limiter.slowRefusal(this.#owner.head))
    this.#underWay += answers.length
    return every(answers.map((text) => when(text, write)))
  }
}

const tooMany = ({ CALL_SOCKET_BODIES_MAX: max }: Limits) =>
  refusal(refuse('rate_limited', `a call socket may have ${max} bodies under way`))

/** The head that a POST of this body would have had. A class, because every body has one: its methods are made once. */
class BodyHead implements Head {
  readonly method = 'POST'
  readonly url = paths.rpc
  readonly #head: Head
  readonly #token: string

  constructor(head: Head, token: string) {
    this.#head = head
    this.#token = token
  }

  get peer(): string | undefined {
    return this.#head.peer
  }

  get(name: string): string | undefined {
    if (name === WINDOW_TOKEN_HEADER) return this.#token
    if (name === 'content-type') return 'application/json'
    return name === 'content-length' ? undefined : this.#head.get(name)
  }

  request(): Request {
    return this.#head.request()
  }
}
