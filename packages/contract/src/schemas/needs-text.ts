import { quoted } from '../values/visible-text.ts'
import { wordList } from '../values/word-list.ts'
import { fillNeeds, type Needs, textInWords, type Variable } from './needs.ts'

/** The names to which its user must give a value before a plugin starts, in the order of its author. */
export const neededNames = (needs: Needs, given: (name: string) => string | undefined = () => undefined) =>
  fillNeeds(needs, given).missing.filter((name) => typeof needs.env?.[name] === 'object')

/** A variable in words: `API_KEY ("the key of your account")`. */
export const variableText = (name: string, { description }: Variable): string =>
  description ? `${name} (${quoted(description)})` : name

/**
 * Returns in sentences what a plugin is started with and what its user gives it, `''` for nothing: `It is started with the
 * argument "--stdio". It needs from you API_KEY ("the key of your account").`
 */
export function needsSentence(needs: Needs): string {
  const { args = [], cwd, env = {} } = needs
  const variables = Object.entries(env)
  const inWords = (text: string) =>
    textInWords(text, (name) =>
      typeof env[name] === 'string' ? `the variable ${name}` : `what you give as ${name}`,
    )
  const needed = new Set(neededNames(needs))
  const fixed = variables.flatMap(([name, one]) =>
    typeof one === 'string' ? [`${name} set to ${inWords(one)}`] : [],
  )
  const asked = (isNeeded: boolean) =>
    variables.flatMap(([name, one]) =>
      typeof one === 'object' && needed.has(name) === isNeeded ? [variableText(name, one)] : [],
    )
  const start = [
    ...argumentWords(args.map(inWords)),
    ...(cwd === undefined ? [] : [`in ${inWords(cwd)}`]),
    ...(fixed.length > 0 ? [`with the variable${fixed.length > 1 ? 's' : ''} ${wordList(fixed)}`] : []),
  ]
  const [must, may] = [asked(true), asked(false)]
  return [
    ...(start.length > 0 ? [`It is started ${start.join(', ')}.`] : []),
    ...(must.length > 0 ? [`It needs from you ${wordList(must)}.`] : []),
    ...(may.length > 0 ? [`You may give it ${wordList(may)}.`] : []),
  ].join(' ')
}

function argumentWords(args: readonly string[]): string[] {
  const [only = ''] = args
  if (args.length > 1) return [`with the arguments ${wordList(args)}`]
  if (args.length === 0) return []
  return only.startsWith('"') ? [`with the argument ${only}`] : [`with ${only} as its argument`]
}
