import type { Socket } from 'node:net'
import { type Limits, refuse, WINDOW_TOKEN_HEADER } from '@svc/contract'
import { CLOSING } from '@svc/contract/wire'
import type { Clock } from '@svc/node'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { BodySlot } from '../../kernel/limiter/bodies.ts'
import type { Head } from '../../kernel/request/head.ts'
import { paths } from '../../kernel/request/paths.ts'
import { attempt, every, type MaybePromise, when } from '../../kernel/when.ts'
import { type Gateway, isAdmission } from '../rpc/gateway.ts'
import { closingReply, type Reply, refusal } from '../rpc/reply.ts'
import { openWriter } from './socket-writer.ts'

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

/** What a call socket needs. */
export interface CallSocketParts {
  readonly gateway: Gateway
  readonly clock: Clock
  readonly limits: Limits
  /** What came of a frame that is not whole yet. */
  readonly frames: BodySlot
  /** Resolves when the user may send another larger body. */
  readonly turn: () => Promise<boolean> | null
  /** Resolves when a refusal for a rate may be followed by another; `false`: too many wait. */
  readonly slowRefusal: () => Promise<boolean> | null
  readonly log: Logger
}

/** How a socket is closed; WebSocket's own numbers (RFC 6455 §7.4.1). */
const CLOSE = { leaving: 1001, noText: 1003, noFrame: 1008, busy: 1013 } as const

const LINE_FEED = 0x0a
/** What comes before the line feed: `<n> <token>`, or `<n>` where there is none. */
const FRAME_HEAD = /^(\d{1,15})(?: (.*))?$/

/** Carries the bodies of one socket (its frames: `@svc/contract/wire`); each is judged by the gateway, as a POST is. */
export function serveCalls(
  socket: WebSocket,
  connection: Socket,
  head: Head,
  { gateway, clock, limits, frames, turn, slowRefusal, log }: CallSocketParts,
) {
  const open = new Map<string, Exchange>()
  const writer = openWriter(socket, connection, clock, limits)
  let leaving = false
  /** Answers that are not written yet. */
  let underWay = 0

  function rest(): void {
    if (!leaving || open.size > 0) return
    writer.flush()
    socket.close(CLOSE.leaving, CLOSING)
  }

  function giveUp(): void {
    for (const exchange of open.values()) exchange.giveUp()
  }

  function refuseFrame(code: number, reason: string): void {
    socket.close(code, reason)
    giveUp()
  }

  function take(frame: Buffer) {
    const max = limits.CALL_SOCKET_HEAD_MAX_BYTES
    const end = frame.subarray(0, max).indexOf(LINE_FEED)
    const [, n, token] = FRAME_HEAD.exec(frame.toString('latin1', 0, end === -1 ? max : end)) ?? []
    if (n === undefined || (token === undefined) !== (end === -1))
      return refuseFrame(CLOSE.noFrame, 'a frame is "<n> <token>\\n<body>", or "<n>"')
    if (token === undefined) return open.get(n)?.giveUp()
    if (open.has(n)) return refuseFrame(CLOSE.noFrame, `body ${n} is already in progress`)
    if (leaving) refuseBody(n)
    else carry(n, token, frame.subarray(end + 1))
  }

  /** While others are under way, the page need not wait for the end of the socket. */
  function refuseBody(n: string): void {
    const { status, text } = closingReply()
    writer.add(`${n} ${status} ${text}\n`, underWay)
  }

  function carry(n: string, token: string, body: Buffer): void {
    const admission =
      open.size < limits.CALL_SOCKET_BODIES_MAX ? gateway.admit(bodyHead(head, token)) : tooMany(limits)
    const exchange = new Exchange()
    open.set(n, exchange)
    const sent = attempt<unknown>(
      () =>
        when(admission, (admitted) =>
          when(isAdmission(admitted) ? gateway.answer(admitted, body, exchange.gone) : admitted, (reply) =>
            answer(n, reply, exchange),
          ),
        ),
      (error) => log.error({ err: error }, 'an answer failed'),
    )
    when(sent, () => {
      open.delete(n)
      rest()
    })
  }

  /** Writes the answers to a body, each when it is ready. */
  function answer(n: string, reply: Reply, exchange: Exchange): MaybePromise<unknown> {
    const write = (text: string) => {
      underWay -= 1
      if (!exchange.isGone) writer.add(`${n} ${reply.status} ${text}\n`, underWay)
    }
    const answers = 'text' in reply ? [reply.text] : reply.answers
    if ('text' in reply && reply.isRateLimited) writer.pauseUntil(slowRefusal())
    underWay += answers.length
    return every(answers.map((text) => when(text, write)))
  }

  // Before the parser has it: what is read at once would else count until the next frame.
  connection.prependListener('data', (chunk: Buffer) => {
    try {
      frames.take(chunk.length)
    } catch {
      refuseFrame(CLOSE.busy, 'too many bytes of incomplete frames of this user are waiting')
    }
  })
  socket.on('message', (data, isBinary) => {
    frames.clear()
    // What comes behind the frame that a socket was closed for is not looked at.
    if (socket.readyState !== socket.OPEN) return
    if (isBinary) refuseFrame(CLOSE.noText, 'frames are text')
    else {
      take(data as Buffer)
      if ((data as Buffer).length > limits.BODY_SMALL_BYTES) writer.pauseUntil(turn())
    }
  })
  // A broken socket also closes, at the latest when its other end has had time to say so.
  socket.on('error', (error) => {
    log.debug({ err: error }, 'a call socket broke')
    giveUp()
  })
  socket.once('close', () => {
    writer.end()
    giveUp()
  })
  return {
    /** Takes no more bodies, and closes when the ones under way are answered. */
    drain() {
      leaving = true
      rest()
    },
    /** Closes at once: its user may act no more. */
    cut: (reason: string) => refuseFrame(CLOSE.noFrame, reason),
  }
}

/** One open call socket. */
export type CallSocket = ReturnType<typeof serveCalls>

const tooMany = ({ CALL_SOCKET_BODIES_MAX: max }: Limits) =>
  refusal(refuse('rate_limited', `a call socket may have ${max} bodies under way`))

/** The head that a POST of this body would have had. */
function bodyHead(head: Head, token: string): Head {
  const own = new Map<string, string | undefined>([
    [WINDOW_TOKEN_HEADER, token],
    ['content-type', 'application/json'],
    ['content-length', undefined],
  ])
  return {
    method: 'POST',
    url: paths.rpc,
    peer: head.peer,
    get: (name) => (own.has(name) ? own.get(name) : head.get(name)),
    request: () => head.request(),
  }
}
