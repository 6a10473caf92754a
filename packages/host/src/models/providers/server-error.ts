import { type Fields, fieldsOf, listOf, textOf } from './members.ts'
import { waitOf } from './retry-after.ts'
import { FILTER_STATUS, saidStatus, saidWait } from './said-meaning.ts'

/** What a server says of an error, in the body of a refusal or inside of an answer. */
export interface ServerError {
  /** The HTTP status that its code stands for; `null` where nobody knows the code. */
  readonly status: number | null
  /** Its code, where it has one that is a word. */
  readonly code: string | null
  /** Its content filter stopped the request. */
  readonly isFilter: boolean
  /** Its own words, which may repeat a key. */
  readonly words: string
  /** How long it wants to be left alone, in ms; `null`: it does not say. */
  readonly retryAfterMs: number | null
  /** The headers of the server behind a gateway, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

const NOWHERE_STATUS = 404
/** The status that the codes of many servers stand for, in lower case. */
const statuses: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({
    401: 'invalid_api_key authentication_error unauthenticated unauthorized api_key_invalid invalid_authentication_error',
    402: 'insufficient_quota insufficient_balance insufficient_credits payment_required arrearage billing_error billing_not_active billing_hard_limit_reached exceeded_current_quota_error',
    403: 'permission_denied permission_error access_denied forbidden',
    404: 'model_not_found model_not_supported model_decommissioned invalid_model not_found_error notfounderror deploymentnotfound',
    429: 'rate_limit_exceeded rate_limit_error rate_limit_reached_error too_many_requests resource_exhausted',
    // A model that called a tool wrongly may do better when it is asked again.
    500: 'tool_use_failed',
    503: 'overloaded capacity_exceeded overloaded_error engine_overloaded_error service_unavailable unavailable server_overloaded',
    400: 'context_length_exceeded exceed_context_size_error invalid_argument badrequesterror',
  }).flatMap(([status, codes]) => codes.split(' ').map((code) => [code, Number(status)] as const)),
)
const filters: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'responsibleaipolicyviolation',
  'data_inspection_failed',
  'datainspectionfailed',
  'prohibited_content',
  'moderation_blocked',
  'safety',
])

const WORD = /^[A-Za-z][\w.-]{1,63}$/
const FIRST_STATUS = 400
const LAST_STATUS = 599

/** Reads the error of a body or an event; `null`: it has none. `isCalledError`: its event is named so. */
export function serverErrorIn(value: unknown, isCalledError = false): ServerError | null {
  if (typeof value === 'string') return isCalledError ? errorOf({ message: value }, {}) : null
  const whole = fieldsOf(Array.isArray(value) ? value[0] : value)
  const { base_resp, fault } = whole
  // MiniMax tells in each answer how it went; Apigee has an error in a member of its own.
  const told = Number(fieldsOf(base_resp).status_code) > 0 ? fieldsOf(base_resp) : fieldsOf(fault ?? whole)
  const error = isTold(told.error) ? told.error : fieldsOf(listOf(told.choices)[0]).error
  if (isTold(error)) return errorOf(typeof error === 'string' ? { message: error } : fieldsOf(error), told)
  const hasAnswer =
    told.choices !== undefined || told.response !== undefined || typeof told.message === 'object'
  const isError = isCalledError || !hasAnswer
  return isError && wordsOf(told) !== '' ? errorOf(told, {}) : null
}

/** Whether a member says that there is an error: some servers have one in each event, with nothing in it. */
const isTold = (error: unknown): boolean =>
  typeof error === 'object' && error !== null
    ? Object.values(error).some(
        (one) => one !== null && one !== '' && one !== 0 && one !== '0' && one !== false,
      )
    : textOf(error) !== null || error === true

function errorOf(error: Fields, around: Fields): ServerError {
  const details = listOf(error.details).map(fieldsOf)
  const inner = fieldsOf(error.innererror)
  const named = [
    error.code,
    inner.code,
    ...details.map(({ reason }) => reason),
    error.type,
    error.status,
    around.code,
    around.type,
  ]
  const codes = named.flatMap((one) => (typeof one === 'string' && WORD.test(one) ? one : []))
  const lower = codes.map((one) => one.toLowerCase())
  const number = [...named, error.status_code]
    .map(Number)
    .find((one) => one >= FIRST_STATUS && one <= LAST_STATUS)
  const words = wordsOf(error) || wordsOf(around)
  const said = saidStatus(words)
  const isFilter = said === FILTER_STATUS || lower.some((one) => filters.has(one))
  const known = lower.map((one) => statuses.get(one)).find((one) => one !== undefined)
  // All that LM Studio says of a path that it does not have, with status 200.
  const isNowhere = /^unexpected endpoint/i.test(words)
  return {
    status: isFilter ? FILTER_STATUS : isNowhere ? NOWHERE_STATUS : (said ?? known ?? number ?? null),
    code: codes[0] ?? null,
    isFilter,
    words,
    retryAfterMs: waitOf(
      textOf(details.map(({ retryDelay }) => retryDelay).find((one) => one !== undefined)) ??
        secondsIn(error) ??
        secondsIn(around) ??
        saidWait(words) ??
        undefined,
      0,
    ),
    headers: Object.fromEntries(
      Object.entries(fieldsOf(fieldsOf(error.metadata).headers)).map(([name, one]) => [
        name.toLowerCase(),
        String(one),
      ]),
    ),
  }
}

/** The members in which servers have their words. */
const wordy = [
  'message',
  'detail',
  'msg',
  'error_msg',
  'status_msg',
  'error_description',
  'faultstring',
  'title',
] as const

function wordsOf(error: Fields): string {
  for (const name of wordy) {
    const words = error[name]
    if (words != null && words !== '') return typeof words === 'string' ? words : JSON.stringify(words)
  }
  return ''
}

/** The members in which servers say in how many seconds to ask again. */
const secondsIn = (error: Fields): string | null => {
  const seconds = error.retry_after ?? error.retry_after_seconds ?? error.estimated_time
  return typeof seconds === 'number' ? String(seconds) : textOf(seconds)
}
