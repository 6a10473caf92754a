import { failure } from '../terminal/failure.ts'

/** Which plugins a machine takes beside its user's own. */
export interface AllowList {
  /** Every plugin. */
  readonly all: boolean
  /** Ids of plugins, or `id@digest`: at just these terms. */
  readonly names: ReadonlySet<string>
}

const NAME = /^tool-[^\s,@]+(@[0-9a-f]{32})?$/

/** Reads each `--allow` of a command line; of an option that is repeated citty keeps one. Errors: `usage`. */
export function readAllow(rawArgs: readonly string[]): AllowList {
  const given = rawArgs.flatMap((word, at) => {
    if (word.startsWith('--allow=')) return [word.slice('--allow='.length)]
    return word === '--allow' ? [rawArgs[at + 1] ?? ''] : []
  })
  const words = given.flatMap((text) => text.split(','))
  const stranger = words.find((word) => word !== 'own' && word !== 'all' && !NAME.test(word))
  if (stranger !== undefined)
    throw failure('usage', `--allow must be own, all or ids of plugins, got ${JSON.stringify(stranger)}`)
  return { all: words.includes('all'), names: new Set(words.filter((word) => NAME.test(word))) }
}
