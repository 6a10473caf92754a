import type { CommandDef } from 'citty'
import { commands } from './commands.ts'

/** A command that words name. */
export interface FoundCommand {
  readonly command: CommandDef
  /** The words that name it: `svc plug check`. */
  readonly path: string
  /** The words behind those. */
  readonly rest: readonly string[]
  /** Whether behind two dashes comes the command of a plugin. */
  readonly takesCommand: boolean
}

/** Returns the command that the first words name. Those below it are not read: a list of them needs their descriptions. */
export async function findCommand(words: readonly string[]): Promise<FoundCommand> {
  let row: (typeof commands)[string] = {
    description: 'Runs sandboxed apps with tools, storage and windows.',
    commands,
  }
  let depth = 0
  for (; row.commands; depth += 1) {
    const word = words[depth] ?? ''
    const below = Object.hasOwn(row.commands, word) ? row.commands[word] : undefined
    if (!below) break
    row = below
  }
  const path = ['svc', ...words.slice(0, depth)].join(' ')
  const subCommands = Object.entries(row.commands ?? {}).map(
    ([name, { description }]) => [name, { meta: { description } }] as const,
  )
  const command = {
    ...(await row.load?.()),
    meta: { name: path, description: row.description },
    ...(row.commands && { subCommands: Object.fromEntries(subCommands) }),
  }
  return { command, path, rest: words.slice(depth), takesCommand: row.takesCommand ?? false }
}
