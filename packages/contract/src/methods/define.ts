import type { z } from 'zod'
import { type ErrorCode, type Refusal, refuse, wrongArg } from '../errors/errors.ts'
import { onDemand } from '../values/on-demand.ts'
import type { UserRate } from './rates.ts'

/**
 * Who may call a method:
 * - `always`: any window; `window.*` only.
 * - `declared`: the manifest's `ui.host_api.<ns>` lists the method or `*`.
 * - `plugs`: the manifest declares a plug or has `ui.host_api.tools`.
 * - `submode`: an agent submode is enabled in the manifest.
 * - a grant: declared, and the install carries that grant too.
 */
export type Access = 'always' | 'declared' | 'plugs' | 'submode' | GrantName

/** The per-app user grants that are plain switches. */
export type GrantName = 'image_grant' | 'upload_grant' | 'web_grant' | 'credentials_grant'

/** One method of the host API: everything that the client, the host and the docs know of it. */
export interface MethodRow<Args extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> {
  /** What it does, in a sentence or two. */
  readonly doc: string
  /** A few lines that use it. */
  readonly example?: string
  /** What a call of it may fail with besides `invalid_arg`, `permission_denied` and the errors of every call. */
  readonly errors?: readonly ErrorCode[]
  readonly access: Access
  readonly args: Args
  readonly result: Result
  /** May take seconds: the bridge sends it on its own connections. */
  readonly slow?: true
  /** The class of its rate besides `call`, which every call counts for. */
  readonly rate?: UserRate
  /** What it does to what a document keeps: calls with an effect take effect in the order in which a window makes them. */
  readonly effect?: 'read' | 'write'
  /** The caller names the type of the result. */
  readonly typed?: true
  /** Names a tool by `tool_id` and `method`: it is typed by what `svc types` declared of that tool. */
  readonly namesTool?: true
  /**
   * Arguments that are passed on as the JSON text that they came as; in all others a number must be one that JavaScript
   * holds.
   */
  readonly verbatim?: readonly string[]
  /** Named and not offered: a call of a declared one fails with `not_implemented`. */
  readonly stub?: true
  /** The method of the same namespace whose declaration in the manifest admits this one too. */
  readonly declaredBy?: string
  /** Other names that arguments go by, read in this order where the argument itself is absent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The dispatcher version that brought it. */
  readonly since?: string
}

type Schemas = 'args' | 'result'

/** A row whose schemas may be functions that make them. */
type WrittenRow = Omit<MethodRow, Schemas> & {
  readonly args: z.ZodObject | (() => z.ZodObject)
  readonly result: z.ZodType | (() => z.ZodType)
}

/** Writes one row with its types kept; its schemas are made when they are first read. */
export const method = <const Row extends WrittenRow>(
  row: Row,
): {
  readonly [Key in keyof Row]: Key extends Schemas
    ? Row[Key] extends () => infer Made
      ? Made
      : Row[Key]
    : Row[Key]
} => onDemand(row, ['args', 'result'] satisfies Schemas[])

/** The arguments under the names of their row: the canonical name wins over its aliases. */
export function canonicalArgs(
  args: Readonly<Record<string, unknown>>,
  { aliases = {} }: Pick<MethodRow, 'aliases'>,
): Record<string, unknown> {
  const named: Record<string, unknown> = { ...args }
  for (const [alias, name] of Object.entries(aliases))
    if (Object.hasOwn(args, alias) && named[name] === undefined) named[name] = args[alias]
  return named
}

/** What the arguments of a call are called together. */
const WHOLE = 'args'

/** A namespace: method name → row. */
export type Namespace = Readonly<Record<string, MethodRow>>

/**
 * The sentence for the first thing wrong with the arguments of a call: the path, the rule and the value,
 * `limit must be at most 500, got 501`.
 */
export function explain(error: z.ZodError, input: unknown): string {
  const [issue] = error.issues
  return issue ? sentence(issue, input) : 'The arguments are not of the form that the method takes.'
}

/** The exception for the first thing that is wrong, with its path where it is not the whole input. */
export function wrongArgs(error: z.ZodError, input: unknown): Refusal {
  const issue = error.issues[0] && innermost(error.issues[0])
  return issue && issue.path.length > 0
    ? wrongArg(nameOf(issue), `${rule(issue)}${got(issue, input)}`)
    : refuse('invalid_arg', explain(error, input))
}

/** The same of each thing that is wrong, for an author who is there to put all of it right; `whole` names the input. */
export const explainAll = (error: z.ZodError, input: unknown, whole = WHOLE): string[] =>
  error.issues.map((issue) => sentence(issue, input, whole))

const nameOf = ({ path }: z.core.$ZodIssue, whole = WHOLE): string =>
  path.length > 0 ? path.map(String).join('.') : whole

function sentence(outer: z.core.$ZodIssue, input: unknown, whole?: string): string {
  const issue = innermost(outer)
  return `${nameOf(issue, whole)} ${rule(issue)}${got(issue, input)}`
}

/** Of a union the form that fits but for something inside of it, where there is one. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const inside = issue.errors.map(([first]) => first).find((one) => one && isInside(one))
  return inside ? innermost({ ...inside, path: [...issue.path, ...inside.path] }) : issue
}

const isInside = ({ code, path }: z.core.$ZodIssue): boolean =>
  path.length > 0 || code === 'unrecognized_keys'

/** What came instead; of a key too much the value is nobody's to read. */
const got = (issue: z.core.$ZodIssue, input: unknown): string =>
  issue.code === 'unrecognized_keys' ? '' : `, got ${show(valueAt(input, issue.path))}`

function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'nonoptional' ? 'is required' : `must be ${article(issue.expected)}`
    case 'invalid_union':
      // A union that is told apart by one field has no forms to show where that field names none of them.
      return issue.errors.length > 0 ? choice(issue.errors) : issue.message
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'custom':
      return issue.message
    case 'unrecognized_keys':
      return issue.message.startsWith('must ') ? issue.message : keyTooMuch(issue.keys)
    case 'invalid_format':
      return issue.message.startsWith('must ') ? issue.message : `is wrong (${issue.message})`
    default:
      return `is wrong (${issue.message})`
  }
}

const keyTooMuch = ([key = '']: readonly string[]) => `must not have the key ${JSON.stringify(key)}`

/** The rule of a union: its literals where it has nothing else, else the first form. */
function choice(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const literals = forms.flatMap(([first]) => (first?.code === 'invalid_value' ? first.values : []))
  if (literals.length === forms.length)
    return `must be one of ${literals.map((value) => JSON.stringify(value)).join(', ')}`
  const first = forms[0]?.[0]
  return first ? rule(first) : 'has none of the forms that it may have'
}

const units = new Map([
  ['string', 'character'],
  ['array', 'item'],
  ['set', 'item'],
])

function bound(origin: string, side: string, limit: number | bigint): string {
  const unit = units.get(origin)
  return unit ? `have ${side} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}` : `be ${side} ${limit}`
}

const article = (expected: string) =>
  expected === 'int' ? 'an integer' : /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

const SHOWN_CHARS = 60

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value, cut()) ?? typeof value
  if (text.length <= SHOWN_CHARS) return text
  const length = typeof value === 'string' ? ` (${value.length} characters)` : ''
  return `${text.slice(0, SHOWN_CHARS)}…${length}`
}

/** Keeps what is shown of a value: it may hold texts of a hundred million characters, or a million items. */
function cut(): (name: string, value: unknown) => unknown {
  let left = SHOWN_CHARS + 1
  return (_name, value) => {
    if (left <= 0) return null
    if (typeof value === 'string') {
      const shown = value.slice(0, left)
      left -= shown.length
      return shown
    }
    left -= 1
    return Array.isArray(value) ? value.slice(0, left + 1) : value
  }
}
