import { quoted } from '../values/visible-text.ts'
import type { Reach } from './reach.ts'

/** A variable that the author of a plugin names, and that its user gives a value on his machine. */
export interface Variable {
  /** What it is for, as its user reads it. */
  readonly description?: string | undefined
  /** Whether its value is never shown again. */
  readonly secret?: boolean | undefined
  /** Whether the plugin is not started without it. */
  readonly required?: boolean | undefined
  /** What it is where nobody gives it. */
  readonly default?: string | undefined
}

/** Variables of a process: a text, which may hold `${NAME}`, or one that the user gives. */
export type Variables = Readonly<Record<string, string | Variable>>

/** What a plugin is started with; each text may hold `${NAME}`, and `$${NAME}` stands for `${NAME}` itself. */
export interface Needs {
  /** Program and arguments. */
  readonly command?: readonly string[] | undefined
  /** Arguments of the program. */
  readonly args?: readonly string[] | undefined
  /** Its variables. */
  readonly env?: Variables | undefined
  /** The folder in which it starts. */
  readonly cwd?: string | undefined
  /** What it reaches: the paths of its folders may hold names. */
  readonly reach?: Reach | undefined
}

/** The same with values in the place of names. */
export interface FilledNeeds {
  /** Program and arguments. */
  readonly command?: readonly string[]
  /** Arguments of the program. */
  readonly args?: readonly string[]
  /** The variables that have a value. */
  readonly env?: Readonly<Record<string, string>>
  /** The folder in which it starts. */
  readonly cwd?: string
  /** What it reaches; its folders are not judged yet (`pathFault`). */
  readonly reach?: Reach
  /** The names that have no value and are needed, each once: required variables, and those that a text holds. */
  readonly missing: readonly string[]
}

const REFERENCE = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** The names that a text holds as `${NAME}`, in order. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, doubled, name = '']) => (doubled === '' ? [name] : []))

/** The name that a text is, and nothing else; `null` where it is more. `HOME` is the runner's, and no user gives it. */
export function onlyName(text: string): string | null {
  const [name] = namesIn(text)
  return name !== undefined && name !== 'HOME' && text === `\${${name}}` ? name : null
}

/**
 * Returns a text of an author in the words of a reader: between quotes, with `named` in the place of names. `"--key="
 * followed by what you give as KEY`: a text that reads like a name cannot be taken for one.
 */
export function textInWords(text: string, named: (name: string) => string): string {
  const words: string[] = []
  const quote = (part: string) => quoted(part.replace(REFERENCE, (whole) => whole.slice(1)))
  let from = 0
  for (const { 0: whole, 1: doubled, 2: name = '', index } of text.matchAll(REFERENCE)) {
    if (doubled !== '') continue
    if (index > from) words.push(quote(text.slice(from, index)))
    words.push(name === 'HOME' ? 'your home folder' : named(name))
    from = index + whole.length
  }
  if (from < text.length || words.length === 0) words.push(quote(text.slice(from)))
  return words.join(' followed by ')
}

/** What looks like a name in a text and is none, such as `${user_config.key}`; `null` where nothing does. */
export const wrongName = (text: string): string | null =>
  text.replace(REFERENCE, '').match(/\$\{[^}]*\}?/)?.[0] ?? null

/** A path as it may be with any values: `/x` for a name that it begins with, `x` for others. */
export const shapeOf = (path: string): string =>
  path.replace(REFERENCE, (whole, doubled: string, _name, at: number) =>
    doubled !== '' ? whole.slice(1) : at === 0 ? '/x' : 'x',
  )

/**
 * Puts values in the place of names. A variable has the value that is given, else its default. A text of `env` takes
 * names of variables, and of what `given` has besides; `command`, `args`, `cwd` and `reach` take those and the texts.
 */
export function fillNeeds(needs: Needs, given: (name: string) => string | undefined): FilledNeeds {
  const missing = new Set<string>()
  const { command, args, cwd, reach } = needs
  const variables = new Map(Object.entries(needs.env ?? {}))
  const env = new Map<string, string>()
  const fill = (text: string, lookUp: (name: string) => string | undefined) =>
    text.replace(REFERENCE, (whole, doubled: string, name: string) => {
      if (doubled !== '') return whole.slice(1)
      const value = lookUp(name)
      if (value === undefined) missing.add(name)
      return value ?? ''
    })
  /** Of a variable, or from outside. */
  const outer = (name: string) => {
    const one = variables.get(name)
    const { default: usual } = typeof one === 'object' ? one : {}
    return given(name) ?? (usual === undefined ? undefined : fill(usual, given))
  }
  for (const [name, one] of variables) {
    const value = typeof one === 'string' ? fill(one, outer) : outer(name)
    if (value !== undefined) env.set(name, value)
    else if (typeof one === 'object' && one.required) missing.add(name)
  }
  const filled = (text: string) => fill(text, (name) => env.get(name) ?? outer(name))
  return {
    ...(command && { command: command.map(filled) }),
    ...(args && { args: args.map(filled) }),
    ...(needs.env && { env: Object.fromEntries(env) }),
    ...(cwd !== undefined && { cwd: filled(cwd) }),
    ...(reach && { reach: filledReach(reach, filled) }),
    missing: [...missing],
  }
}

const filledReach = (reach: Reach, filled: (text: string) => string): Reach => ({
  ...reach,
  ...(reach.folders && { folders: reach.folders.map((one) => ({ ...one, path: filled(one.path) })) }),
})
