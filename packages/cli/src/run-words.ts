import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { renderUsage, runCommand } from 'citty'
import { findCommand } from './commands/find-command.ts'
import { explainFailure, failure, failureJson } from './terminal/failure.ts'
import { print, printError } from './terminal/print.ts'

/** Runs the command that words name. A failure is told, and is the exit code of this process. */
export async function runWords(words: readonly string[]): Promise<void> {
  const dashes = words.indexOf('--')
  const { takesCommand } = await findCommand(words)
  // Where no command of a plugin follows, pnpm passes on the dashes that npm wants before the words of a script.
  const given = takesCommand || dashes === -1 ? words : words.toSpliced(dashes, 1)
  /** What is behind the dashes is the command of a plugin, with options of its own. */
  const own = takesCommand && dashes !== -1 ? words.slice(0, dashes) : given
  const found = await findCommand(own)
  const { command, path, rest } = found

  if (own.length === 1 && own[0] === '--version') {
    print(createRequire(import.meta.url)('../package.json').version)
  } else if (own.includes('--help') || own.includes('-h') || (command.subCommands && rest.length === 0)) {
    const usage = await renderUsage(command)
    // Words of ours alone, which citty may colour.
    // biome-ignore lint/suspicious/noConsole: print would show the colours as text
    console.log(takesCommand ? usage.replace('[OPTIONS]', '[OPTIONS] -- <command>') : usage)
  } else {
    try {
      const { judgeWords } = await import('./commands/judge-words.ts')
      const { refuseTaken } = await import('./commands/refuse-taken.ts')
      judgeWords(found, given)
      refuseTaken(found)
      await toItsEnd(runCommand(command, { rawArgs: given.slice(own.length - rest.length) }))
    } catch (error) {
      const isUsage = error instanceof Error && error.name === 'CLIError'
      const failed = isUsage
        ? failure('usage', sayUsage(error), `${path} --help shows how to use it.`)
        : error
      const { code, lines } = explainFailure(failed)
      for (const line of lines) printError(line)
      if (own.includes('--json')) print(JSON.stringify(failureJson(failed)))
      process.exitCode = code
    }
  }
}

/** Waits for a command; one that waits for nothing that could come ends with a sentence, and not in silence. */
async function toItsEnd(work: Promise<unknown>): Promise<void> {
  const left = Promise.withResolvers<never>()
  // Later than what else hears that nothing is left to do, and says it of what a user gave.
  const onIdle = () =>
    void setImmediate(() => left.reject(new Error('the command waits for what never comes')))
  process.once('beforeExit', onIdle)
  await Promise.race([work, left.promise]).finally(() => process.off('beforeExit', onIdle))
}

/** citty's own sentences are coloured and end in a full stop. */
function sayUsage({ message }: Error): string {
  return stripVTControlCharacters(message).replace(/\.$/, '')
}
