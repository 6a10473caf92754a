import {
  canonicalArgs,
  type ErrorCode,
  errorBody,
  errorText,
  explain,
  isCall,
  methodRow,
  okText,
  Refusal,
  type RpcRequest,
  readEnvelope,
  refuse,
  type WindowClaims,
} from '@svc/contract'
import { declares, grants } from '../access/manifest.ts'
import type { CallContext } from '../handlers/context.ts'
import type { AnyHandlers } from '../handlers/index.ts'
import type { House } from '../house.ts'
import { installId } from '../records.ts'
import { attempt, both, lastly, when } from '../when.ts'
import { statusAt } from '../windows/silence.ts'
import type { WindowRecord } from '../windows/windows.ts'
import type { InFlight } from './inflight.ts'
import { JsonText } from './json-text.ts'

/** An answered call: its code for the status and the counters, and the text of its envelope. */
export interface Served {
  readonly code: ErrorCode | 'ok'
  readonly text: string
}

/** Who calls, and the origin that the call came to. */
export interface Caller {
  readonly claims: WindowClaims
  readonly origin: string
}

/** The desk behind the door: judges one parsed call and has it handled. Never rejects. */
export interface Desk {
  serve(body: unknown, caller: Caller, bodyBytes: number, gone: () => AbortSignal): Served | Promise<Served>
}

/**
 * Opens the desk. The order of checks is the order of the lines (design §4). A call that waits for nothing is answered
 * without a promise, which would cost as much as several checks.
 */
export function openDesk(house: House, handlers: AnyHandlers, inFlight: InFlight): Desk {
  const { clock, copies, limits, log, metrics, windows } = house

  return {
    serve(body, caller, bodyBytes, gone) {
      const call = readEnvelope(body)
      if (!isCall(call)) return refused(call.id, refuse('invalid_arg', call.problem))
      const { claims } = caller
      const started = clock.now()
      const served = (answer: Served) => {
        note(call, claims, answer, clock.now() - started)
        return answer
      }
      return attempt(
        () => when(enter(call, claims, started), (window) => attend(call, window, caller, bodyBytes, gone)),
        served,
        (error) => served(refused(call.id, error instanceof Refusal ? error : internal(error, call))),
      )
    },
  }

  /** The window of a call, once it may come in. */
  function enter(call: RpcRequest, claims: WindowClaims, now: number): WindowRecord | Promise<WindowRecord> {
    if (call.window_uuid !== claims.wid)
      throw refuse('invalid_token', 'window_uuid is not the window of this token')
    return when(copies.windows.get(claims.wid, now), (window) => {
      if (!window || statusAt(window.row, now, limits) === 'closed')
        throw refuse('not_found', 'this window is closed')
      if (!inFlight.enter(claims.wid))
        throw refuse('rate_limited', `a window may have ${limits.IN_FLIGHT_PER_WINDOW} calls in flight`, {
          hint: 'Wait for an answer before sending the next call.',
        })
      return window
    })
  }

  function internal(error: unknown, { ns, method, window_uuid }: RpcRequest): Refusal {
    log.error({ err: error, ns, method, window: window_uuid }, 'a call failed')
    return refuse('internal_error')
  }

  /**
   * Counts a call and, where somebody listens, logs it: without its arguments and its token. A name that is in no
   * table is the caller's own text and is not repeated either.
   */
  function note(call: RpcRequest, claims: WindowClaims, { code }: Served, ms: number): void {
    const known = methodRow(call.ns, call.method) !== undefined
    const ns = known ? call.ns : '?'
    const method = known ? call.method : '?'
    metrics.call(ns, method, code, ms / 1_000)
    if (!log.isLevelEnabled('debug')) return
    log.debug({ user: claims.user_id, app: claims.app_id, window: claims.wid, ns, method, code, ms }, 'call')
  }

  /** Has a call handled that came in, and gives its place back. */
  function attend(
    call: RpcRequest,
    window: WindowRecord,
    { claims, origin }: Caller,
    bodyBytes: number,
    gone: () => AbortSignal,
  ): Served | Promise<Served> {
    const { user_id, app_id, version_id } = window.row
    return lastly(
      () => {
        const now = clock.now()
        windows.seen(window, now)
        return both(
          copies.versions.get(version_id, now),
          copies.installs.get(installId(user_id, app_id), now),
          (version, install) => {
            if (!version || !install)
              throw refuse('not_found', 'the app of this window is not installed any more')
            return handle(call, {
              house,
              userId: user_id,
              window,
              version: version.row,
              install: install.row,
              origin,
              bodyBytes,
              gone,
            })
          },
        )
      },
      () => inFlight.leave(claims.wid),
    )
  }

  function handle(call: RpcRequest, context: CallContext): Served | Promise<Served> {
    const { ns, method } = call
    const name = `${ns}.${method}`
    const declared = declares(context.version.manifest, ns, method)
    const verdict = declared.admitted ? grants(context.install.grants, ns) : declared
    if (!verdict.admitted)
      throw refuse('permission_denied', `${name} is not allowed for this app`, {
        denied_by: verdict.deniedBy,
        hint: verdict.hint,
      })
    const row = methodRow(ns, method)
    const handler = handlers.get(name)
    if (!row || !handler || house.models.missing.has(name))
      throw refuse('not_implemented', `this host does not offer ${name}`, {
        hint: 'svc.window.hello() lists what it offers under capabilities.methods.',
      })
    const given = row.aliases ? canonicalArgs(call.args, row) : call.args
    const args = row.args.safeParse(given)
    if (!args.success) throw refuse('invalid_arg', explain(args.error, given))
    return when(handler(args.data, context), (result) => ({
      code: 'ok',
      text: okText(call.id, result instanceof JsonText ? result.json : JSON.stringify(result)),
    }))
  }
}

const refused = (id: string, refusal: Refusal): Served => ({
  code: refusal.code,
  text: errorText(id, errorBody(refusal)),
})
