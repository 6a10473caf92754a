import {
  errorBody,
  errorText,
  type Refusal,
  refuse,
  WINDOW_TOKEN_HEADER,
  type WindowClaims,
} from '@svc/contract'
import { pause } from '@svc/node'
import { noteDenied } from '../../access/audit/audit.ts'
import type { SignIn } from '../../access/users/sign-in.ts'
import { type Body, type Part, readBody } from '../../kernel/body.ts'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { Reader } from '../../kernel/limiter/unread.ts'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import type { Head } from '../../kernel/request/head.ts'
import { readBodyInThread } from '../../kernel/threads/read-in-thread.ts'
import { openTimeSlices } from '../../kernel/time-slices.ts'
import { attempt, type MaybePromise, when } from '../../kernel/when.ts'
import type { Guard } from '../guard.ts'
import type { Services } from '../services.ts'
import type { CallAnswer, Caller, Dispatch } from './dispatch.ts'
import type { LongCalls } from './long-calls.ts'
import { closingReply, type Reply, refusal, replyOf, type TextReply, tooLarge } from './reply.ts'
import { startsWork } from './starts-work.ts'

/** An admitted request: whose call it is, and how many bytes it may have to be read at once. */
export interface Admission extends Caller {
  readonly maxBytes: number
  /** The body says that it has more, and its app may send such a one: it goes to `answerLong` unread. */
  readonly isLong: boolean
}

/** Whether the gateway admitted the request. */
export const isAdmission = (admission: Admission | TextReply): admission is Admission => 'claims' in admission

/** Of an array of calls, as many are begun before others have their turn. */
const TURN_BYTES = 262_144
/** How long bodies are served, in ms, before others have their turn: a page sends hundreds at once. */
const TURN_MS = 4
const JSON_TYPE = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i

/** Opens the gateway before a dispatch; `longCalls` handles what is too long to be read at once. */
export function openGateway(
  services: Pick<Services, 'tokens' | 'leaving' | 'limits' | 'limiter' | 'log' | 'audit' | 'threads'>,
  guard: Guard,
  signIn: SignIn,
  dispatch: Dispatch,
  longCalls: LongCalls,
  bodies: Bodies,
) {
  const { audit, tokens, limits, limiter, log } = services
  const bodyReader = openBodyReader(services, bodies)
  const slices = openTimeSlices(TURN_MS)
  const denied = (head: Head, why: Refusal) => {
    noteDenied(audit, why, { head, method: 'calls.rpc' })
    return refusal(why)
  }
  /** Counted by address, so that nobody tries tokens at will. */
  const invalidToken = (head: Head, message: string) => {
    limiter.consumeFrom('refused', head)
    return denied(
      head,
      refuse('invalid_token', message, { hint: 'Renew the window token, or sign in again.' }),
    )
  }

  /**
   * A refusal goes to the caller, and to the audit log if it denies; any other error, such as one of `authenticate` or
   * of a store, only to the log.
   */
  const failed = (error: unknown, head?: Head): TextReply => {
    const why = loggedRefusal(log, error, 'the gateway failed')
    return head ? denied(head, why) : refusal(why)
  }

  return {
    /** Judges a request before any byte of its body is read. */
    admit: (head: Head) =>
      attempt(
        () => admit(head),
        (error) => failed(error, head),
      ),
    /**
     * Handles the body of an admitted request. `gone` fires when the caller is no longer there; while too much waits for
     * `reader`, nothing more is carried out.
     */
    answer: (admission: Admission, bytes: Buffer, gone: () => AbortSignal, reader?: Reader) =>
      attempt(
        () => when(slices.wait(), () => answer(admission, bytes, gone, reader)),
        (error) => failed(error),
      ),
    /** Handles a body of more than `maxBytes`, and of no more than a run may have; read as it comes, or not at all. */
    answerLong: (admission: Admission, body: AsyncIterable<Uint8Array>, gone: () => AbortSignal) =>
      longCalls.answer(admission, body, gone).catch((error: unknown) => failed(error)),
  }

  function admit(head: Head): MaybePromise<Admission | TextReply> {
    if (services.leaving.isClosed) return closingReply()
    const misplaced = guard.host(head) ?? guard.origin(head)
    if (misplaced) {
      limiter.consumeFrom('refused', head)
      return denied(head, misplaced)
    }
    limiter.checkUnspent('refused', head)
    const token = head.get(WINDOW_TOKEN_HEADER)
    if (token === undefined) return invalidToken(head, 'X-Svc-App-Token is missing')
    return when(tokens.verify('window', token), (claims) =>
      claims
        ? admitCaller(head, claims)
        : invalidToken(head, 'X-Svc-App-Token is expired or not a token of this host'),
    )
  }

  function answer(
    admission: Admission,
    bytes: Buffer,
    gone: () => AbortSignal,
    reader?: Reader,
  ): MaybePromise<Reply> {
    if (bytes.length > admission.maxBytes) return tooLarge(admission.maxBytes)
    return bodyReader.read(admission.claims, bytes, (body) =>
      serveBody(admission, body, bytes.length, gone, reader),
    )
  }

  function serveBody(
    admission: Admission,
    body: Body,
    size: number,
    gone: () => AbortSignal,
    reader: Reader | undefined,
  ): MaybePromise<Reply> {
    if (services.leaving.isLeaving && startsWork(body)) return closingReply()
    const serve = (part: Part) =>
      'problem' in part ? refusedCall(part.problem) : dispatch.serve(part, admission, size, gone, reader)
    if ('one' in body) return when(serve(body.one), replyOf)
    // The first of them was counted before the body was read.
    const more = body.many.length - 1
    if (more > 0) limiter.consume('call', admission.claims.user_id, admission.claims.app_id, more)
    const answers = inTurns(body.many, size, (part) => when(serve(part), ({ text }) => text))
    return { status: 200, answers }
  }

  function admitCaller(head: Head, claims: WindowClaims) {
    return when(signIn.userOf(head), (userId) => {
      if (userId !== claims.user_id)
        return invalidToken(head, 'the sign-in is missing or is not the one of this window')
      return admitBody(head, claims)
    })
  }

  function admitBody(head: Head, claims: WindowClaims): MaybePromise<Admission | TextReply> {
    limiter.consume('call', claims.user_id, claims.app_id)
    const type = head.get('content-type')
    if (type !== 'application/json' && !(type !== undefined && JSON_TYPE.test(type)))
      return refusal(
        refuse(
          'invalid_arg',
          `Content-Type must be application/json in UTF-8, got ${JSON.stringify(type ?? null)}`,
        ),
        { status: 415 },
      )
    const maxBytes = limits.RPC_BODY_MAX_BYTES
    const bytes = Number(head.get('content-length') ?? 0)
    if (bytes > maxBytes) return admitLong(head, claims, bytes)
    return { claims, origin: guard.base(head), maxBytes, isLong: false }
  }

  async function admitLong(head: Head, claims: WindowClaims, bytes: number): Promise<Admission | TextReply> {
    // It can only be a run.
    if (services.leaving.isLeaving) return closingReply()
    const max = await longCalls.maxBytes(claims)
    if (bytes > max) return tooLarge(max)
    return { claims, origin: guard.base(head), maxBytes: limits.RPC_BODY_MAX_BYTES, isLong: true }
  }
}

/** The gateway of the RPC endpoint: plain functions that both fronts call. None of them throws or rejects. */
export type Gateway = ReturnType<typeof openGateway>

/** Begins each item in order. After so many bytes of them, others have their turn before the next one. */
function inTurns<Item, Out>(
  items: readonly Item[],
  bytes: number,
  begin: (item: Item) => MaybePromise<Out>,
): MaybePromise<Out>[] {
  let begun = 0
  let turn: Promise<void> | undefined
  return items.map((item) => {
    const out = turn ? turn.then(() => begin(item)) : begin(item)
    begun += bytes / items.length
    if (begun >= TURN_BYTES) {
      begun = 0
      turn = turn ? turn.then(pause) : pause()
    }
    return out
  })
}

/** A call of an array that is not looked at, so that its id is not known. */
const refusedCall = (problem: string): CallAnswer => ({
  code: 'invalid_arg',
  text: errorText('', errorBody(refuse('invalid_arg', problem))),
})

/** Opens what reads bodies of calls: long ones in another thread. */
function openBodyReader(
  { limits, threads }: Pick<Services, 'limits' | 'threads'>,
  bodies: Pick<Bodies, 'enter'>,
) {
  /** The last body of each window that is being read, or waits for one: settles when it is served. */
  const last = new Map<string, Promise<void>>()

  return {
    /**
     * Has a body served when it is read, and when those of its window that came before are served: calls take effect in
     * the order in which they came. Errors: those of `readBody`; `rate_limited` where too much of one owner waits.
     */
    read<Served>(
      { wid, user_id }: WindowClaims,
      bytes: Buffer,
      serve: (body: Body) => MaybePromise<Served>,
    ): MaybePromise<Served> {
      const isLong = bytes.length > limits.BODY_APART_BYTES
      const before = last.get(wid)
      if (!before && !isLong) return serve(readBody(bytes, limits))
      return inTurn(wid, user_id, bytes, isLong, before, serve)
    },
  }

  async function inTurn<Served>(
    wid: string,
    userId: string,
    bytes: Buffer,
    isLong: boolean,
    before: Promise<void> | undefined,
    serve: (body: Body) => MaybePromise<Served>,
  ): Promise<Served> {
    const slot = bodies.enter({ owner: userId, bytes: bytes.length })
    const over = Promise.withResolvers<void>()
    last.set(wid, over.promise)
    let served: MaybePromise<Served>
    try {
      const reading = isLong ? readBodyInThread(threads, userId, bytes, limits) : null
      // What is wrong with it is reported in its turn.
      reading?.catch(() => {})
      await before
      served = serve(reading ? await reading : readBody(bytes, limits))
    } finally {
      slot.release()
      over.resolve()
      if (last.get(wid) === over.promise) last.delete(wid)
    }
    return await served
  }
}
