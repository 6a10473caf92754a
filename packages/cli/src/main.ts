#!/usr/bin/env node
import { defineCommand, renderUsage, runCommand } from 'citty'
import { dev } from './commands/dev.ts'
import { serve } from './commands/serve.ts'
import { exitCodes, explainFailure, failure } from './failure.ts'

const svc = defineCommand({
  meta: { name: 'svc', description: 'Runs sandboxed apps with tools, storage and windows.' },
  subCommands: { dev, serve },
})

/** What each command takes, for its help and against misspelt options. */
const commands = new Map([
  ['dev', { options: Object.keys(dev.args ?? {}), usage: () => renderUsage(dev) }],
  ['serve', { options: Object.keys(serve.args ?? {}), usage: () => renderUsage(serve) }],
])

const words = process.argv.slice(2)
const command = commands.get(words[0] ?? '')

if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
  console.log(await (command ? command.usage() : renderUsage(svc)))
} else {
  try {
    refuseStrangers()
    await runCommand(svc, { rawArgs: words })
  } catch (error) {
    const isUsage = error instanceof Error && error.name === 'CLIError'
    const { code, lines } = isUsage
      ? { code: exitCodes.usage, lines: [`svc: ${error.message}`, '     svc --help lists the commands.'] }
      : explainFailure(error)
    for (const line of lines) console.error(line)
    process.exitCode = code
  }
}

/** citty takes any option in silence; a misspelt one would be believed to work. */
function refuseStrangers() {
  if (!command) return
  const names = command.options.flatMap((name) => [`--${name}`, `--no-${name}`])
  const stranger = words.find((word) => word.startsWith('-') && !names.includes(word.split('=')[0] ?? ''))
  if (stranger !== undefined)
    throw failure('usage', `there is no option ${stranger}`, `svc ${words[0]} --help lists them.`)
}
