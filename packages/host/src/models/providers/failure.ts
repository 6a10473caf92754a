import { type ErrorCode, Refusal } from '@svc/contract'

/** What a failed call may have cost: nothing reached the model, it was refused unanswered, or nobody can tell. */
export type Cost = 'nothing' | 'call' | 'unknown'

interface Kind {
  readonly code: ErrorCode
  readonly sentence: string
  readonly cost: Cost
  /** Asking again may help; before the first token the host does so itself. */
  readonly retriable: boolean
  /** What whoever asked can do. */
  readonly hint: string
}

const kind = (
  sentence: string,
  cost: Cost,
  retriable: boolean,
  hint: string,
  code: ErrorCode = 'internal_error',
): Kind => ({
  code,
  sentence,
  cost,
  retriable,
  hint,
})

const LATER = 'Try again in a minute. If it goes on, tell the operator of this host: its log says more.'
const OPERATOR = 'Only the operator of this host can put this right: its log says what to change.'
const SHORTER = 'Ask for a shorter answer.'

/** How a model can fail. The sentences hold nothing that a provider said: its texts may repeat a key. */
const kinds = {
  unreachable: kind('cannot be reached', 'nothing', true, LATER),
  cut: kind('broke the connection off', 'unknown', true, LATER),
  busy: kind('accepts no more requests at the moment', 'call', true, LATER),
  broken: kind('failed', 'call', true, LATER),
  refused: kind('refused the request', 'call', false, 'Ask for something else, or for less.', 'invalid_arg'),
  too_long: kind('cannot take so long a request', 'call', false, 'Shorten the request.', 'invalid_arg'),
  blind: kind(
    'does not accept images',
    'call',
    false,
    'Leave the images out, or name a model that sees them in a hint.',
    'APP_MODEL_NOT_VISION_CAPABLE',
  ),
  closed: kind("does not take this host's requests", 'call', false, OPERATOR),
  malformed: kind('returned something that is not a completion', 'unknown', false, OPERATOR),
  unfinished: kind('ended its answer too early', 'unknown', true, LATER),
  silent: kind('sent nothing in time', 'unknown', true, LATER),
  slow: kind('did not finish its answer in time', 'unknown', true, SHORTER),
  oversize: kind('answered more than it may', 'unknown', false, SHORTER, 'result_too_large'),
} as const satisfies Record<string, Kind>

const costs: readonly Cost[] = ['nothing', 'call', 'unknown']

/** The higher of two costs. */
export const higherCost = (one: Cost, other: Cost): Cost =>
  costs.indexOf(one) < costs.indexOf(other) ? other : one

/** A way for a model to fail. */
export type Reason = keyof typeof kinds

/** What the log tells an operator of a failure besides its details. Nothing in it is a secret. */
export interface FailureNote {
  /** Where the request went, without a user, and without the values of its query. */
  readonly address?: string | undefined
  /** The code of Node for what is wrong with the connection, or what is wrong with the answer. */
  readonly cause?: string | undefined
  /** The beginning of the server's words, without what may be of a key. */
  readonly said?: string | undefined
  /** What to change. */
  readonly fix?: string | undefined
}

/** A model failed: a refusal that also knows what the call may have cost. */
export class ModelFailure extends Refusal {
  readonly reason: Reason
  readonly cost: Cost
  readonly retriable: boolean
  readonly note: FailureNote

  /** `more`: details that replace those of the reason. `spent`: what tries before this one may have cost. */
  constructor(
    model: string,
    reason: Reason,
    more: Readonly<Record<string, unknown>> = {},
    spent: Cost = 'nothing',
    note: FailureNote = {},
  ) {
    const { code, sentence, cost, ...row } = kinds[reason]
    const retriable = typeof more.retriable === 'boolean' ? more.retriable : row.retriable
    const details = { reason, hint: row.hint, ...more, retriable }
    super(code, `the model ${JSON.stringify(model)} ${sentence}`, details)
    this.reason = reason
    this.cost = higherCost(cost, spent)
    this.retriable = retriable
    this.note = note
  }

  /** How long to wait before the same call may succeed, in ms; `null`: nobody told. */
  get retryAfterMs(): number | null {
    const ms = this.details?.retry_after_ms
    return typeof ms === 'number' ? ms : null
  }
}
