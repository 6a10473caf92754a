import {
  canonicalArgs,
  type ErrorCode,
  errorBody,
  errorText,
  isCall,
  methodRow,
  okText,
  type Refusal,
  type RpcRequest,
  readEnvelope,
  refuse,
  type WindowClaims,
  wrongArgs,
} from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { noteCall } from '../../access/audit/audit.ts'
import { declares, grants } from '../../access/manifest.ts'
import type { CallUnderWay } from '../../access/users/under-way.ts'
import { type InstallRow, installId, type VersionRow } from '../../catalog/records.ts'
import { statusAt, type WindowRecord } from '../../catalog/window-row.ts'
import type { ExtractedArgs, ReadCall } from '../../kernel/body.ts'
import type { InFlight } from '../../kernel/inflight.ts'
import { JsonText } from '../../kernel/json.ts'
import type { Reader } from '../../kernel/limiter/unread.ts'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import { attempt, both, type MaybePromise, when } from '../../kernel/when.ts'
import type { CallContext } from '../handlers/context.ts'
import type { AnyHandlers } from '../handlers/index.ts'
import type { Services } from '../services.ts'
import { bareArgs, settleNumbers, withTexts } from './args.ts'
import type { Order, OrderSlot } from './order.ts'
import { retryAfterOf } from './reply.ts'

/** An answered call: its code for the status and the counters, and the text of its envelope; a long one in parts too. */
export interface CallAnswer {
  readonly code: ErrorCode | 'ok'
  readonly text: string
  readonly parts?: readonly string[] | undefined
  readonly retryAfterMs?: number | undefined
}

/** Calls without an effect on a document whose answer is read from the host's state and may be long. */
const LONG_READS: ReadonlySet<string> = new Set(['agent.session.history', 'tools.getJob', 'tools.listJobs'])

/** Who calls, and the origin that the call came to. */
export interface Caller {
  readonly claims: WindowClaims
  readonly origin: string
}

/** One call on its way through. */
interface Visit {
  readonly call: RpcRequest
  readonly odd: boolean
  readonly apart: ExtractedArgs | undefined
  readonly caller: Caller
  readonly bodyBytes: number
  readonly underWay: CallUnderWay
  /** When it came, in Unix ms. */
  readonly started: number
  /** Its slot among the calls that take effect in order. */
  readonly slot: OrderSlot | undefined
  readonly reader: Reader | undefined
  /** Whether it counts as in flight in its window. */
  isIn: boolean
}

/**
 * Opens the dispatch. The order of checks is the order of the lines. A call that waits for nothing is answered
 * without a promise, which would cost as much as several checks.
 */
export function openDispatch(services: Services, handlers: AnyHandlers, inFlight: InFlight, order: Order) {
  const { audit, clock, copies, limiter, limits, log, metrics, windows } = services

  return {
    serve(
      { call: body, odd, apart }: ReadCall,
      caller: Caller,
      bodyBytes: number,
      gone: () => AbortSignal,
      reader?: Reader,
    ): MaybePromise<CallAnswer> {
      const call = readEnvelope(body)
      if (!isCall(call)) return refused(call.id, refuse('invalid_arg', call.problem))
      const effect = methodRow(call.ns, call.method)?.effect
      // Taken before any wait: while an expired copy is read again, no later call may overtake this one.
      const slot = effect && order.enter(caller.claims.wid, effect)
      const { user_id: userId, app_id: appId, wid: windowUuid } = caller.claims
      const underWay = services.underWay.enter({ userId, appId, windowUuid }, gone)
      const visit: Visit = {
        call,
        odd,
        apart,
        caller,
        bodyBytes,
        underWay,
        slot,
        reader,
        started: clock.now(),
        isIn: false,
      }
      const served = attempt(
        () => enter(visit),
        (error) => failed(visit, error),
      )
      return when(served, (answer) => leave(visit, answer))
    },
  }

  function enter(visit: Visit): MaybePromise<CallAnswer> {
    const { call, caller } = visit
    if (call.window_uuid !== caller.claims.wid)
      throw refuse('invalid_token', 'window_uuid is not the window of this token')
    return when(copies.windows.get(caller.claims.wid, visit.started), (window) => attend(visit, window))
  }

  /** Takes a place in the window, once it is known to be open. */
  function attend(visit: Visit, window: WindowRecord | null): MaybePromise<CallAnswer> {
    if (!window || statusAt(window.row, visit.started, limits) === 'closed')
      throw refuse('not_found', 'this window is closed')
    visit.isIn = inFlight.enter(window.id)
    if (!visit.isIn)
      throw refuse('rate_limited', `a window may have ${limits.IN_FLIGHT_PER_WINDOW} calls in flight`, {
        hint: 'Wait for an answer before sending the next call.',
      })
    const now = clock.now()
    windows.seen(window, now)
    const { user_id, app_id, version_id } = window.row
    return both(
      copies.versions.get(version_id, now),
      copies.installs.get(installId(user_id, app_id), now),
      (version, install) => handle(visit, window, version, install),
    )
  }

  /** Releases the slot, and logs the outcome. */
  function leave({ call, caller, slot, underWay, started, isIn }: Visit, served: CallAnswer): CallAnswer {
    slot?.release()
    underWay.leave()
    if (isIn) inFlight.leave(caller.claims.wid)
    note(call, caller.claims, served, clock.now() - started)
    return served
  }

  function failed({ call }: Visit, error: unknown): CallAnswer {
    const { id, ns, method, window_uuid: window } = call
    return refused(id, loggedRefusal(log, error, 'a call failed', { ns, method, window }))
  }

  /**
   * Counts a call and, where somebody listens, logs it: without its arguments and its token. A name that is in no
   * table is the caller's own text and is not repeated either.
   */
  function note(call: RpcRequest, claims: WindowClaims, { code }: CallAnswer, ms: number): void {
    const known = methodRow(call.ns, call.method) !== undefined
    const ns = known ? call.ns : '?'
    const method = known ? call.method : '?'
    metrics.call(ns, method, code, ms / 1_000)
    noteCall(audit, call, claims, { ns, method, code, ms })
    if (log.isLevelEnabled?.('debug') === false) return
    log.debug({ user: claims.user_id, app: claims.app_id, window: claims.wid, ns, method, code, ms }, 'call')
  }

  function handle(
    { call, odd, apart, caller, bodyBytes, underWay, slot, reader }: Visit,
    window: WindowRecord,
    version: StoreRecord<VersionRow> | null,
    install: StoreRecord<InstallRow> | null,
  ): MaybePromise<CallAnswer> {
    if (!version || !install) throw refuse('not_found', 'the app of this window is not installed any more')
    const { ns, method } = call
    const name = `${ns}.${method}`
    const declared = declares(version.row.manifest, ns, method)
    const verdict = declared.admitted ? grants(install.row.grants, ns) : declared
    if (!verdict.admitted)
      throw refuse('permission_denied', `${name} is not allowed for this app`, {
        denied_by: verdict.deniedBy,
        hint: verdict.hint,
      })
    const row = methodRow(ns, method)
    const handler = handlers.get(name)
    if (!row || !handler || services.missing.has(name))
      throw refuse('not_implemented', `this host does not offer ${name}`, {
        hint: 'svc.window.hello() lists what it offers under capabilities.methods.',
      })
    if (row.rate) limiter.consume(row.rate, window.row.user_id, window.row.app_id)
    const named = row.aliases ? canonicalArgs(call.args, row) : call.args
    const settled = odd ? settleNumbers(named, row) : named
    const given = apart ? bareArgs(settled, row, apart) : settled
    const args = row.args.safeParse(given)
    if (!args.success) throw wrongArgs(args.error, given)
    const data = apart ? withTexts(args.data, apart) : args.data
    const context: CallContext = {
      services,
      userId: window.row.user_id,
      window,
      version: version.row,
      install: install.row,
      origin: caller.origin,
      bodyBytes,
      gone: underWay.gone,
    }
    const carryOut = () => handler(data, context)
    const isRead = row.effect === 'read' || LONG_READS.has(name)
    const inTurn = reader ? () => whenRead(reader, isRead, underWay.gone, carryOut) : carryOut
    const handled = slot?.turn ? slot.turn.then(inTurn) : inTurn()
    return when(handled, (result) => succeeded(call.id, result))
  }
}

/** The dispatch behind the gateway: judges one parsed call and has it handled. Never rejects. */
export type Dispatch = ReturnType<typeof openDispatch>

/** Carries out a call whose caller reads its answers: none is made while too many of them wait. */
function whenRead<T>(
  reader: Reader,
  isRead: boolean,
  gone: () => AbortSignal,
  carryOut: () => MaybePromise<T>,
): MaybePromise<T> {
  const turn = reader.enter(isRead, gone)
  const carry = () => {
    let handled: MaybePromise<T> | undefined
    try {
      handled = carryOut()
    } finally {
      if (handled instanceof Promise) handled = handled.finally(() => reader.leave(isRead))
      else reader.leave(isRead)
    }
    return handled
  }
  return turn ? turn.then(carry) : carry()
}

function succeeded(id: string, result: unknown): CallAnswer {
  if (!(result instanceof JsonText)) return { code: 'ok', text: okText(id, JSON.stringify(result)) }
  const { json, parts } = result
  // An envelope around nothing ends with its brace.
  return { code: 'ok', text: okText(id, json), parts: parts && [okText(id, '').slice(0, -1), ...parts, '}'] }
}

const refused = (id: string, refusal: Refusal): CallAnswer => ({
  code: refusal.code,
  text: errorText(id, errorBody(refusal)),
  retryAfterMs: retryAfterOf(refusal),
})
