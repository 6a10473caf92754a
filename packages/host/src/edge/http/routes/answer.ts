import { type ErrorBody, type ErrorCode, errorBody, errorRow, Refusal } from '@svc/contract'
import { retryAfterOf, retryHeaders } from '../../rpc/reply.ts'

/** A refusal whose HTTP status is not the one of its row: a body that is too large, a wrong media type. */
export class RouteRefusal extends Refusal {
  readonly status: number

  constructor(status: number, code: ErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(code, message, details)
    this.status = status
  }
}

/** Every answer of these routes is of this caller and this moment: tokens among them. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** An answer in JSON. */
export const json = (body: unknown, status = 200, more?: Readonly<Record<string, string>>): Response =>
  Response.json(body, { status, headers: { ...headers, ...more } })

/** An answer in JSON that is text already. */
export const jsonText = (text: string): Response =>
  new Response(text, { headers: { ...headers, 'content-type': 'application/json' } })

const statusOf = (refusal: Refusal): number =>
  refusal instanceof RouteRefusal ? refusal.status : errorRow(refusal.code).status

/** A refusal as `{error: {code, message, details?}}` with its status. */
export const refusalResponse = (refusal: Refusal): Response =>
  json({ error: errorBody(refusal) }, statusOf(refusal), retryHeaders(retryAfterOf(refusal)))

/**
 * A failure as the session routes return it: `name` is the string that clients branch on, `code` the number of the
 * session error or, where it has none, the same string.
 */
export const sessionRefusal = (
  { code, message, details }: ErrorBody,
  status: number,
  retryAfterMs?: number,
): Response =>
  json(
    { error: { name: code, code: errorRow(code).rpcCode ?? code, message, ...(details && { details }) } },
    status,
    retryHeaders(retryAfterMs),
  )

/** A refusal on a session route. */
export const sessionRefusalResponse = (refusal: Refusal): Response =>
  sessionRefusal(errorBody(refusal), statusOf(refusal), retryAfterOf(refusal))
