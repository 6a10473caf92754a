import { failure } from '../terminal/failure.ts'
import { lineAgain } from '../terminal/typed.ts'
import type { FoundCommand } from './find-command.ts'

/** What npm also knows, and tells the scripts that run while it packs. */
const OF_NPM: ReadonlySet<string> = new Set(['json'])

/**
 * Refuses a command some of whose options npm kept for itself, as it does without two dashes before them
 * (`npm start --port 9000`): it would do something else than its user typed. Errors: `usage`, with the line that works.
 */
export function refuseTaken(
  { command, path, rest }: FoundCommand,
  env: NodeJS.ProcessEnv = process.env,
  line: typeof lineAgain = lineAgain,
): void {
  if (!env.npm_config_user_agent?.startsWith('npm/')) return
  const taken = Object.entries(command.args ?? {}).flatMap(([name, { type }]) => {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`]
    const isSeen = rest.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
    return value === undefined || isSeen || OF_NPM.has(name) || type === 'positional'
      ? []
      : [{ name, value, isFlag: type === 'boolean' }]
  })
  if (taken.length === 0) return
  const names = taken.map(({ name }) => `--${name}`).join(', ')
  const again = line(
    path,
    rest,
    (words) => {
      const kept = [...words]
      const options = taken.flatMap(({ name, value, isFlag }) => {
        if (isFlag) return value === '' ? [`--no-${name}`] : [`--${name}`]
        // The value came as a word of its own, and npm passed it on alone.
        return [`--${name}`, value === 'true' ? (kept.pop() ?? '…') : value]
      })
      return [...kept, ...options]
    },
    env,
  )
  throw failure('usage', `npm kept ${names} for itself, and svc never got it`, `Type: ${again}`)
}
