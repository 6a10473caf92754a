import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { renderUsage, runCommand } from 'citty'
import { findCommand, refuseUnknown } from './commands/find-command.ts'
import { explainFailure, failure, failureJson } from './terminal/failure.ts'

/** Runs the command that words name. A failure is told, and is the exit code of this process. */
export async function runWords(words: readonly string[]): Promise<void> {
  /** What is behind the dashes is the command of a plugin, with options of its own. */
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length)
  const found = await findCommand(own)
  const { command, path, rest, takesCommand } = found

  if (own.length === 1 && own[0] === '--version') {
    console.log(createRequire(import.meta.url)('../package.json').version)
  } else if (own.includes('--help') || own.includes('-h') || (command.subCommands && rest.length === 0)) {
    const usage = await renderUsage(command)
    console.log(takesCommand ? usage.replace('[OPTIONS]', '[OPTIONS] -- <command>') : usage)
  } else {
    try {
      refuseUnknown(found)
      await runCommand(command, { rawArgs: words.slice(own.length - rest.length) })
    } catch (error) {
      const isUsage = error instanceof Error && error.name === 'CLIError'
      const failed = isUsage
        ? failure('usage', sayUsage(error), `${path} --help shows how to use it.`)
        : error
      const { code, lines } = explainFailure(failed)
      for (const line of lines) console.error(line)
      if (own.includes('--json')) console.log(JSON.stringify(failureJson(failed)))
      process.exitCode = code
    }
  }
}

/** citty's own sentences are coloured and end in a full stop. */
function sayUsage({ message }: Error): string {
  return stripVTControlCharacters(message).replace(/\.$/, '')
}
