import { parseArgs } from 'node:util'
import { CreateError } from './create-error.ts'
import { didYouMean } from './nearest.ts'

/** What the command line asks for; `undefined` is not said. */
export interface CreateOptions {
  readonly name: string | undefined
  readonly template: string | undefined
  readonly install: boolean | undefined
  readonly yes: boolean
  readonly json: boolean
  readonly list: boolean
  readonly help: boolean
  readonly version: boolean
}

const options = {
  template: { type: 'string', short: 't' },
  install: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y', default: false },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const

/** Without them npm takes the options, and their values are left over as names. */
const NPM =
  'Options come after --: npm create svc my-app -- --template app. npm create svc -- --help lists them.'
const HELP = 'npm create svc -- --help lists the options.'

/** Reads the words of the command line. Errors: an unknown option, too many names. */
export function readOptions(words: readonly string[]): CreateOptions {
  const { values, positionals } = parse(words)
  const [name, second] = positionals
  if (second !== undefined)
    throw new CreateError('usage', `one project is created at a time, got "${name}" and "${second}"`, NPM)
  const { template, install, yes, json, list, help, version } = values
  return { name, template, install, yes, json, list, help, version }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
    const [, wrong] = /^Unknown option '(--[^']*)'/.exec(sentence) ?? []
    const names = [...Object.keys(options), 'no-install'].map((name) => `--${name}`)
    const meant = wrong === undefined ? '' : didYouMean(wrong, names)
    throw new CreateError(
      'usage',
      `${sentence.replace(/^[A-Z]/, (letter) => letter.toLowerCase())}${meant}`,
      HELP,
    )
  }
}
