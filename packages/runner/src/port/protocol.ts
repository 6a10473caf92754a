import { mcpCommand } from '@svc/mcp'
import type { CommandSpec } from './runner.ts'

/** A command that speaks the plugin wire: one that speaks MCP is run by the adapter, and nothing behind knows of it. */
export function spoken(plugin: CommandSpec): CommandSpec {
  const { protocol, sampling, ...rest } = plugin
  return protocol === 'mcp' ? { ...rest, command: mcpCommand(plugin.command, { sampling }) } : plugin
}
