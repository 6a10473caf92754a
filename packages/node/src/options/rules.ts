import { didYouMean } from '@svc/contract/nearest'
import { kindOf, shown } from './shown.ts'

/**
 * What an option may be: says what is wrong with a value, in a sentence that begins with the name of the option, or
 * `null`. `show` says how the value is named in it.
 */
export type Rule = (value: unknown, name: string, show?: (value: unknown) => string) => string | null

/** The rules of an object, by the names that it may have. */
export type Rules = Readonly<Record<string, Rule>>

/** Values that pass a test; `must` goes on after the name of the option: `must be …`. */
export const holding =
  (must: string, isRight: (value: unknown) => boolean): Rule =>
  (value, name, show = shown) =>
    isRight(value)
      ? null
      : `${name} ${must}, got ${show(value)}${show === shown ? quoted(value, isRight) : ''}`

/** Texts in quotes that would be right without them, as JSON and environments make them. */
function quoted(value: unknown, isRight: (value: unknown) => boolean): string {
  if (typeof value !== 'string' || !/^(true|false|null|-?\d{1,15})$/.test(value)) return ''
  return isRight(JSON.parse(value)) ? `; write ${value} without quotes` : ''
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
/** No system takes it, in a path or an argument. */
const hasNul = (value: unknown) => String(value).includes('\0')
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isWhole = (value: unknown, from: number, to: number) =>
  Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to

/** `true` or `false`. */
export const flag = holding('must be true or false', (value) => typeof value === 'boolean')
/** A function. */
export const fn = holding('must be a function', (value) => typeof value === 'function')
/** A text that a pattern, or a test, takes. */
export const textThat = (must: string, takes: RegExp | ((text: string) => boolean)): Rule =>
  holding(
    must,
    (value) =>
      isText(value) && !hasNul(value) && (takes instanceof RegExp ? takes.test(value) : takes(value)),
  )

/** A whole number. */
export const whole = (from: number, to: number = Number.MAX_SAFE_INTEGER): Rule =>
  holding(
    to === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${from}`
      : `must be a whole number from ${from} to ${to}`,
    (value) => isWhole(value, from, to),
  )

/** Any number in a range. */
export const between = (from: number, to: number): Rule =>
  holding(
    `must be a number from ${from} to ${to}`,
    (value) => typeof value === 'number' && value >= from && value <= to,
  )

/** One of some texts; of a misspelt one the nearest is named. */
export const oneOf =
  (...names: readonly string[]): Rule =>
  (value, name, show = shown) => {
    if (names.some((one) => one === value)) return null
    const near = typeof value === 'string' && show === shown ? didYouMean(value, names) : ''
    return `${name} must be ${choiceOf(names)}, got ${show(value)}${near}`
  }

/** `"a", "b" or "c"`. */
const choiceOf = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names.map((one) => JSON.stringify(one)))

/** An object with methods, and perhaps more; of one that has some of them the others are named. */
export const having =
  (...methods: readonly string[]): Rule =>
  (value, name, show = shown) => {
    const has = isObject(value)
      ? methods.filter((method) => typeof (value as Record<string, unknown>)[method] === 'function')
      : []
    if (has.length === methods.length) return null
    const lacks = methods.filter((method) => !has.includes(method)).join(', ')
    return `${name} must be an object with the methods ${methods.join(', ')}, got ${show(value)}${has.length > 0 ? ` without ${lacks}` : ''}`
  }

/** An object with these names alone; `needed` are those that it must have. */
export const object =
  (rules: Rules, ...needed: readonly string[]): Rule =>
  (value, name, show) => {
    const names = Object.keys(rules)
    if (!isObject(value))
      return holding(`must be an object with ${names.join(', ')}`, isObject)(value, name, show)
    const given: Record<string, unknown> = { ...value }
    for (const one of needed) given[one] ??= undefined
    for (const [key, one] of Object.entries(given)) {
      const path = name === '' ? key : `${name}.${key}`
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
      if (!rule) return unknown(path, key, names)
      const problem = one === undefined && !needed.includes(key) ? null : rule(one, path, show)
      if (problem !== null) return problem
    }
    return null
  }

const unknown = (path: string, key: string, names: readonly string[]): string =>
  `unknown option \`${path}\`${didYouMean(key, names) || `; there are ${names.join(', ')}`}`

/** A list, each item of which a rule takes. */
export const list =
  (rule: Rule): Rule =>
  (value, name, show) =>
    Array.isArray(value)
      ? firstOf(
          value.map((_, at) => at),
          (at) => rule(value[at], `${name}[${at}]`, show),
        )
      : holding('must be a list', Array.isArray)(value, name, show)

/** An object with names of the caller, each value of which a rule takes. */
export const record =
  (rule: Rule): Rule =>
  (value, name, show) =>
    isObject(value)
      ? firstOf(Object.entries(value), ([key, one]) => rule(one, `${name}.${key}`, show))
      : holding('must be an object', isObject)(value, name, show)

/** What a rule takes, or `null`. */
export const orNull =
  (rule: Rule): Rule =>
  (value, name, show) =>
    value === null ? null : rule(value, name, show)

/** What all rules take. */
export const all =
  (...rules: readonly Rule[]): Rule =>
  (value, name, show) =>
    firstOf(rules, (rule) => rule(value, name, show))

/** A text that is not empty. */
export const text = all(
  holding('must be a text that is not empty', isText),
  holding('must have no NUL character', (value) => !hasNul(value)),
)

/** What a rule takes and no error shows. */
export const secret =
  (rule: Rule): Rule =>
  (value, name) =>
    rule(value, name, kindOf)

function firstOf<Item>(items: readonly Item[], problemOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== null) return problem
  }
  return null
}
