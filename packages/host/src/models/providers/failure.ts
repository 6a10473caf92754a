import { type ErrorCode, Refusal } from '@svc/contract'

/** What a failed call may have cost: nothing reached the model, it was refused unanswered, or nobody can tell. */
export type Cost = 'nothing' | 'call' | 'unknown'

interface Kind {
  readonly code: ErrorCode
  readonly sentence: string
  readonly cost: Cost
  /** Asking again may help; before the first token the host does so itself. */
  readonly retriable: boolean
}

const kind = (
  sentence: string,
  cost: Cost,
  retriable: boolean,
  code: ErrorCode = 'internal_error',
): Kind => ({
  code,
  sentence,
  cost,
  retriable,
})

/** How a model can fail. The sentences hold nothing that a provider said: its texts may repeat a key. */
const kinds = {
  unreachable: kind('cannot be reached', 'nothing', true),
  cut: kind('broke the connection off', 'unknown', true),
  busy: kind('accepts no more requests at the moment', 'call', true),
  broken: kind('failed', 'call', true),
  refused: kind('refused the request', 'call', false, 'invalid_arg'),
  closed: kind("does not take this host's requests", 'call', false),
  malformed: kind('returned something that is not a completion', 'unknown', false),
  unfinished: kind('ended its answer too early', 'unknown', true),
  silent: kind('sent nothing in time', 'unknown', true),
  slow: kind('did not finish its answer in time', 'unknown', true),
  oversize: kind('answered more than it may', 'unknown', false, 'result_too_large'),
} as const satisfies Record<string, Kind>

const costs: readonly Cost[] = ['nothing', 'call', 'unknown']

/** The higher of two costs. */
export const higherCost = (one: Cost, other: Cost): Cost =>
  costs.indexOf(one) < costs.indexOf(other) ? other : one

/** A way for a model to fail. */
export type Reason = keyof typeof kinds

/** A model failed: a refusal that also knows what the call may have cost. */
export class ModelFailure extends Refusal {
  readonly reason: Reason
  readonly cost: Cost
  readonly retriable: boolean

  /** `spent`: what tries before this one may have cost. */
  constructor(
    model: string,
    reason: Reason,
    more: Readonly<Record<string, unknown>> = {},
    spent: Cost = 'nothing',
  ) {
    const { code, sentence, cost, retriable } = kinds[reason]
    super(code, `the model ${JSON.stringify(model)} ${sentence}`, { reason, retriable, ...more })
    this.reason = reason
    this.cost = higherCost(cost, spent)
    this.retriable = retriable
  }
}

/** HTTP statuses that do not simply mean "this host may not": everything from 500 on reads `broken`. */
const byStatus: ReadonlyMap<number, Reason> = new Map([
  [400, 'refused'],
  [413, 'refused'],
  [422, 'refused'],
  [408, 'busy'],
  [409, 'busy'],
  [425, 'busy'],
  [429, 'busy'],
])
const OK_BELOW = 300
const SERVER_ERRORS = 500

/** Codes of Node for a request that never left, or was never taken. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** How the codes begin that Node has for a server whose certificate it does not trust. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/
/** Codes of Node for a connection that ended in the middle. */
const brokenOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET'])

/** Reads what an AI SDK model threw, or said in an `error` part. */
export function failureOf(model: string, error: unknown): ModelFailure {
  for (const one of causes(error)) if (one instanceof ModelFailure) return one
  // What a server says of itself inside a stream comes as it was sent: its fields are not those of an error of Node.
  if (!(error instanceof Error)) return new ModelFailure(model, 'broken')
  const codes = causes(error).map((one) => property(one, 'code'))
  if (codes.some((code) => neverSent.has(code) || UNTRUSTED.test(String(code))))
    return new ModelFailure(model, 'unreachable')
  const status = property(error, 'statusCode')
  if (typeof status === 'number' && status >= OK_BELOW) {
    const reason = byStatus.get(status) ?? (status >= SERVER_ERRORS ? 'broken' : 'closed')
    return new ModelFailure(model, reason, { status })
  }
  const isOfFetch = property(error, 'name') === 'TypeError' || isUnanswered(error)
  if (isOfFetch || codes.some((code) => brokenOff.has(code))) return new ModelFailure(model, 'cut')
  return new ModelFailure(model, 'malformed')
}

/** What the AI SDK makes of a request that failed before it had a status. */
const isUnanswered = (error: unknown): boolean =>
  property(error, 'name') === 'AI_APICallError' && property(error, 'statusCode') === undefined

const MAX_CAUSES = 8

/** An error and what caused it, outermost first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let one = error; one != null && chain.length < MAX_CAUSES; one = property(one, 'cause'))
    chain.push(one)
  return chain
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
