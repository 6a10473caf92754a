import { failure } from './failure.ts'

/** The command behind `--`: program and arguments, as they were typed. Errors: `usage`. */
export function commandAfterDashes(rawArgs: readonly string[], example: string): string[] {
  const at = rawArgs.indexOf('--')
  const command = at === -1 ? [] : rawArgs.slice(at + 1)
  if (command.length > 0) return command
  throw failure('usage', 'no command was named', `Write it after two dashes: ${example}`)
}
