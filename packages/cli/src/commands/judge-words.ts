import { didYouMean } from '@svc/contract/nearest'
import { type Rule, text } from '@svc/node/options'
import type { ArgDef } from 'citty'
import { failure } from '../terminal/failure.ts'
import type { FoundCommand } from './find-command.ts'

/** An argument of a command, with what its value may be; left out, any text that is not empty. */
type Arg = ArgDef & { readonly rule?: Rule; readonly many?: boolean }

/**
 * Judges the words of a command before it does anything: citty takes any option, value and word in silence, and one that
 * is misspelt, or has no place, would be believed to work. Errors: `usage`.
 */
export function judgeWords(found: FoundCommand, words: readonly string[]): void {
  const { command, path, rest, takesCommand } = found
  if (command.subCommands) {
    const [word = ''] = rest
    throw word.startsWith('-')
      ? noOption(word, path === 'svc' ? ['version'] : [], path)
      : noCommand(word, Object.keys(command.subCommands), path)
  }
  const args = Object.entries((command.args ?? {}) as Readonly<Record<string, Arg>>)
  const options = new Map(args.filter(([, { type }]) => type !== 'positional'))
  const places = args.filter(([, { type }]) => type === 'positional')
  const seen = new Set<string>()
  let taken = 0
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (!word.startsWith('-') || word === '-') {
      const [name, place] = places[Math.min(taken, places.length - 1)] ?? []
      if (!place || (taken >= places.length && !place.many)) throw noPlace(word, found)
      judge(place, word, name?.toUpperCase() ?? '', path)
      taken += 1
      continue
    }
    const [option = '', given] = partsOf(word)
    const name = nameOf(option, options)
    const arg = name === null ? undefined : options.get(name)
    if (!arg || name === null) throw noOption(option, [...options.keys()], path)
    if (seen.has(name) && !arg.many) throw usage(`--${name} is given twice`, path)
    seen.add(name)
    if (arg.type === 'boolean') {
      if (given !== undefined) throw usage(`${option} takes no value, got ${JSON.stringify(given)}`, path)
      continue
    }
    if (given === undefined) at += 1
    const value = given ?? rest[at]
    if (value === undefined || (given === undefined && value.startsWith('--')))
      throw usage(`${option} needs a value`, path)
    judge(arg, value, option, path)
  }
  if (!words.includes('--')) return
  if (!takesCommand) throw noPlace('--', found)
  if (taken > 0) throw usage('a folder and a command are both named', path)
}

/** `--port=1` as `--port` and `1`. */
function partsOf(word: string): readonly [option: string, value?: string] {
  const at = word.indexOf('=')
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** Which option a word names, also by `--no-`; `null`: none. */
function nameOf(word: string, options: ReadonlyMap<string, Arg>): string | null {
  const name = word.startsWith('--') ? word.slice(2) : ''
  if (options.has(name)) return name
  const negated = name.startsWith('no-') ? name.slice('no-'.length) : ''
  return options.get(negated)?.type === 'boolean' ? negated : null
}

function judge({ rule = text }: Arg, value: string, name: string, path: string): void {
  const problem = rule(value, name)
  if (problem !== null) throw usage(problem, path)
}

const usage = (sentence: string, path: string) =>
  failure('usage', sentence, `${path} --help shows how to use it.`)

const noCommand = (word: string, names: readonly string[], path: string) =>
  failure('usage', `there is no command ${word}${didYouMean(word, names)}`, `${path} --help lists them.`)

const noOption = (word: string, names: readonly string[], path: string) =>
  failure(
    'usage',
    `there is no option ${word}${didYouMean(
      word,
      [...names, 'help'].map((name) => `--${name}`),
    )}`,
    `${path} --help lists them.`,
  )

/** A word that the command would drop. */
function noPlace(word: string, { command, path, takesCommand }: FoundCommand) {
  const sentence = `${path} does not take ${JSON.stringify(word)}`
  if (takesCommand)
    return failure(
      'usage',
      sentence,
      `The command of a plugin is written after two dashes: ${path} -- node plugin.ts`,
    )
  const isData = Object.hasOwn(command.args ?? {}, 'data')
  return isData
    ? failure('usage', sentence, `A data folder is named with --data: ${path} --data ${word}`)
    : usage(sentence, path)
}
