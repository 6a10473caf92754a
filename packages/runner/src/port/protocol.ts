import { adapterFile, mcpCommand } from '@svc/mcp'
import type { CommandSpec } from './runner.ts'

/** A command that speaks the plugin wire: one that speaks MCP is run by the adapter, and nothing behind knows of it. */
export function spoken(plugin: CommandSpec): CommandSpec {
  const { protocol, sampling, ...rest } = plugin
  const { command, startMs } = rest
  return protocol === 'mcp' ? { ...rest, command: mcpCommand(command, { sampling, startMs }) } : plugin
}

/** The program of the server of MCP that a command of the adapter starts; nothing where it is no command of that. */
export const serverOf = (command: readonly string[]): string | undefined =>
  command[1] !== undefined && command[1] === adapterFile() ? command[command.indexOf('--') + 1] : undefined
