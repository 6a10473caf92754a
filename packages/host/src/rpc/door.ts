import {
  errorBody,
  errorRow,
  errorText,
  Refusal,
  refuse,
  WINDOW_TOKEN_HEADER,
  type WindowClaims,
} from '@svc/contract'
import type { House } from '../house.ts'
import type { Guard } from '../http/guard.ts'
import type { Head } from '../http/head.ts'
import type { SignIn } from '../users/sign-in.ts'
import { attempt, when } from '../when.ts'
import { type Body, type Part, readBody } from './body.ts'
import type { Caller, Desk, Served } from './desk.ts'

/** Leave to send a body: whose call it is, and how many bytes it may have. */
export interface Ticket extends Caller {
  readonly maxBytes: number
}

/** What goes out: one text, or the answers to an array body, each when it is ready; none of them rejects. */
export type Reply =
  | { readonly status: number; readonly text: string }
  | { readonly status: 200; readonly answers: readonly (string | Promise<string>)[] }

/** The door of the RPC endpoint (design §4): two plain functions that both fronts call. */
export interface Door {
  /** Judges a request before any byte of its body is read. Neither of the two throws or rejects. */
  admit(head: Head): Ticket | Reply | Promise<Ticket | Reply>
  /** Answers the body of an admitted request. `gone` fires when the caller is no longer there. */
  answer(ticket: Ticket, bytes: Buffer, gone: () => AbortSignal): Reply | Promise<Reply>
}

/** Tells leave from refusal. */
export const isTicket = (admission: Ticket | Reply): admission is Ticket => 'claims' in admission

/** A refusal in the envelope of the RPC route, for a call whose id was not read (decision 31). */
export function refusal(refused: Refusal, status = errorRow(refused.code).status): Reply {
  return { status, text: errorText('', errorBody(refused)) }
}

/** The refusal of a body over its cap (decision 31). */
export const tooLarge = (maxBytes: number): Reply =>
  refusal(refuse('invalid_arg', `the body must have at most ${maxBytes} bytes`, { max: maxBytes }), 413)

const JSON_TYPE = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i

/** Opens the door before a desk. */
export function openDoor(
  house: Pick<House, 'tokens' | 'limits' | 'log'>,
  guard: Guard,
  signIn: SignIn,
  desk: Desk,
): Door {
  const { tokens, limits, log } = house
  const invalidToken = (message: string) =>
    refusal(refuse('invalid_token', message, { hint: 'Renew the window token, or sign in again.' }))

  /** What nobody meant to throw, an operator's `authenticate` or a store, is told to the log alone. */
  const failed = (error: unknown): Reply => {
    log.error({ err: error }, 'the door failed')
    return refusal(refuse('internal_error'))
  }

  return {
    admit: (head) => attempt(() => admit(head), failed),
    answer: (ticket, bytes, gone) => attempt(() => answer(ticket, bytes, gone), failed),
  }

  function admit(head: Head): Ticket | Reply | Promise<Ticket | Reply> {
    const misplaced = guard.host(head) ?? guard.origin(head)
    if (misplaced) return refusal(misplaced)
    const token = head.get(WINDOW_TOKEN_HEADER)
    if (token === undefined) return invalidToken('X-Svc-App-Token is missing')
    return when(tokens.verify('window', token), (claims) =>
      claims
        ? admitCaller(head, claims)
        : invalidToken('X-Svc-App-Token is expired or not a token of this host'),
    )
  }

  function answer(ticket: Ticket, bytes: Buffer, gone: () => AbortSignal): Reply | Promise<Reply> {
    if (bytes.length > ticket.maxBytes) return tooLarge(ticket.maxBytes)
    const body = read(bytes)
    if (body instanceof Refusal) return refusal(body)
    const serve = (part: Part) =>
      'problem' in part ? refusedCall(part.problem) : desk.serve(part.call, ticket, bytes.length, gone)
    if ('one' in body)
      return when(serve(body.one), ({ code, text }) => ({
        status: code === 'ok' ? 200 : errorRow(code).status,
        text,
      }))
    return { status: 200, answers: body.many.map((part) => when(serve(part), ({ text }) => text)) }
  }

  function admitCaller(head: Head, claims: WindowClaims) {
    return when(signIn.userOf(head), (userId) => {
      if (userId !== claims.user_id)
        return invalidToken('the sign-in is missing or is not the one of this window')
      return admitBody(head, claims)
    })
  }

  function admitBody(head: Head, claims: WindowClaims): Ticket | Reply {
    const type = head.get('content-type')
    if (type !== 'application/json' && !(type !== undefined && JSON_TYPE.test(type)))
      return refusal(
        refuse(
          'invalid_arg',
          `Content-Type must be application/json in UTF-8, got ${JSON.stringify(type ?? null)}`,
        ),
        415,
      )
    const maxBytes = limits.RPC_BODY_MAX_BYTES
    if (Number(head.get('content-length') ?? 0) > maxBytes) return tooLarge(maxBytes)
    return { claims, origin: guard.own(head), maxBytes }
  }

  function read(bytes: Buffer): Body | Refusal {
    try {
      return readBody(bytes, limits)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
}

/** A call of an array that is not looked at, so that its id is not known. */
const refusedCall = (problem: string): Served => ({
  code: 'invalid_arg',
  text: errorText('', errorBody(refuse('invalid_arg', problem))),
})
