import { givenIn, VALUES_FILE } from '../project/given-values.ts'
import { failure } from '../terminal/failure.ts'

/** The option by which a plugin gets variables. */
export const envArgs = {
  env: {
    type: 'string',
    many: true,
    description: `A variable, more than once for more: NAME=VALUE, or NAME from the environment or ${VALUES_FILE}.`,
  },
} as const

/** The variables that were typed before the command. Errors: `usage`. */
export function envOf(rawArgs: readonly string[], cwd: string): Record<string, string> {
  const end = rawArgs.indexOf('--')
  const words = end === -1 ? rawArgs : rawArgs.slice(0, end)
  const typed = words.flatMap((word, at) =>
    word.startsWith('--env=') ? [word.slice('--env='.length)] : words[at - 1] === '--env' ? [word] : [],
  )
  const given = typed.length > 0 ? givenIn(cwd) : () => undefined
  return Object.fromEntries(
    typed.map((text): [string, string] => {
      const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? []
      const found = value ?? (name === '' ? undefined : given(name))
      if (found !== undefined) return [name, found]
      const why =
        name === '' ? `must be NAME=VALUE or NAME, got ${JSON.stringify(text)}` : `${name} has no value`
      throw failure(
        'usage',
        `--env ${why}`,
        `Write --env NAME=VALUE, export NAME first, or write it into ${VALUES_FILE}.`,
      )
    }),
  )
}
