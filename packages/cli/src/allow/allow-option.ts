import { list, type Rule, textThat } from '@svc/node/options'

/** Which plugins a machine takes beside its user's own. */
export interface AllowList {
  /** Every plugin. */
  readonly all: boolean
  /** Ids of plugins, or `id@digest`: at just these terms. */
  readonly names: ReadonlySet<string>
}

const NAME = /^tool-[^\s,@]+(@[0-9a-f]{32})?$/

const allowed = textThat(
  'must be own, all or ids of plugins',
  (word) => ['own', 'all'].includes(word) || NAME.test(word),
)

/** What one `--allow` may be. */
export const allowRule: Rule = (value, name) => list(allowed)(String(value).split(','), name)

/** Reads each `--allow` of a command line; of an option that is repeated citty keeps one. */
export function readAllow(rawArgs: readonly string[]): AllowList {
  const given = rawArgs.flatMap((word, at) => {
    if (word.startsWith('--allow=')) return [word.slice('--allow='.length)]
    return word === '--allow' ? [rawArgs[at + 1] ?? ''] : []
  })
  const words = given.flatMap((text) => text.split(','))
  return { all: words.includes('all'), names: new Set(words.filter((word) => NAME.test(word))) }
}
