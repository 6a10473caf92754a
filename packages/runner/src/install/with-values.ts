import { homedir } from 'node:os'
import type { Limits } from '@svc/contract/limits'
import { fillNeeds, namesIn } from '@svc/contract/needs'
import { pathFault } from '@svc/contract/reach'
import { isWithin } from '../isolation/paths.ts'
import { type CommandSpec, type Failure, failure, type InstalledSpec } from '../port/runner.ts'

/** What a runner gives a value itself. */
const own: ReadonlyMap<string, () => string> = new Map([['HOME', homedir]])

/**
 * A plugin as it is started for one user: its command, with the arguments, variables and folders of its distribution, in
 * which the values of the user stand for their names. What it reaches is judged again: a value may be any folder.
 */
export function withValues(
  command: CommandSpec,
  { id, distribution, reach, values = {} }: InstalledSpec,
  { PLUG_START_MAX_CHARS: max }: Limits,
): CommandSpec | Failure {
  const { args, cwd, env } = distribution
  if (!args && !env && cwd === undefined && !reach?.folders?.some(({ path }) => namesIn(path).length > 0))
    return command
  // What is no variable of the author has no value of the user, whatever came over a link.
  const given = (name: string) =>
    typeof env?.[name] === 'object' && Object.hasOwn(values, name) ? values[name] : own.get(name)?.()
  const { missing, ...filled } = fillNeeds({ args, cwd, env, reach }, given)
  if (missing.length > 0)
    return failure('plug_unavailable', `${id} is not started: ${missing.join(' and ')} has no value.`, {
      missing,
    })
  const wrong = faultOf(filled, reach?.folders ?? [], max)
  return wrong === null
    ? { ...command, ...filled }
    : failure('plug_unavailable', `${id} is not started: ${wrong}.`)
}

type Filled = Pick<CommandSpec, 'args' | 'cwd' | 'env' | 'reach'>

/** What is wrong with what it would be started with. Folders are named as their author wrote them. */
function faultOf(
  { args = [], cwd, env = {}, reach }: Filled,
  written: readonly { readonly path: string }[],
  max: number,
): string | null {
  const folders = reach?.folders ?? []
  for (const [at, { path }] of folders.entries()) {
    const fault = pathFault(path)
    if (fault !== null) return `its folder ${written[at]?.path} ${fault}`
  }
  const fault = cwd === undefined ? null : pathFault(cwd)
  if (fault !== null) return `its cwd ${fault}`
  if (cwd !== undefined && !folders.some(({ path }) => isWithin(path, cwd)))
    return 'its cwd must be one of the folders of its reach, or in one'
  const texts = [...args, ...Object.values(env)]
  if (texts.some((text) => text.includes('\0'))) return 'a value must not hold the character NUL'
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  return chars > max
    ? `its arguments and variables must have at most ${max} characters with their values, got ${chars}`
    : null
}

/** The shortest value that is looked for in a text: shorter ones are in every other word. */
const MASKED_MIN_CHARS = 4
/** Shorter texts were not cut; of a longer one that ends with as much of a value, the rest of that was. */
const CUT_MIN_CHARS = 100
const BEGINNING_MIN_CHARS = 8

/** A failure without the values of its user: the app that called may read it. */
export function withoutValues(why: Failure, values: Readonly<Record<string, string>> = {}): Failure {
  const known = Object.entries(values)
    .flatMap(([name, value]) => formsOf(value).map((form) => ({ form, name: `\${${name}}` })))
    .filter(({ form }) => form.length >= MASKED_MIN_CHARS)
  if (known.length === 0) return why
  // The longest first: one may hold another.
  known.sort((a, b) => b.form.length - a.form.length)
  const inText = (text: string) =>
    known.reduce(
      (all, { form, name }) =>
        endOf(
          all.replaceAll(form, () => name),
          form,
          name,
        ),
      text,
    )
  const details = Object.entries(why.details ?? {}).map(([key, value]) => [key, masked(value, inText)])
  return {
    ...why,
    message: inText(why.message),
    ...(why.details && { details: Object.fromEntries(details) }),
  }
}

/** A value as it is, and as it is in JSON and in a URL. */
const formsOf = (value: string): readonly string[] => [
  ...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]),
]

/** A text that was cut where it had the beginning of a value. */
function endOf(text: string, form: string, name: string): string {
  if (text.length < CUT_MIN_CHARS) return text
  const mark = text.endsWith('…') ? '…' : ''
  const whole = text.slice(0, text.length - mark.length)
  for (let length = form.length - 1; length >= BEGINNING_MIN_CHARS; length--)
    if (whole.endsWith(form.slice(0, length))) return `${whole.slice(0, -length)}${name}${mark}`
  return text
}

/** Each text in a value of JSON, names too. */
function masked(value: unknown, inText: (text: string) => string): unknown {
  if (typeof value === 'string') return inText(value)
  if (Array.isArray(value)) return value.map((one) => masked(one, inText))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [inText(key), masked(one, inText)]))
}
