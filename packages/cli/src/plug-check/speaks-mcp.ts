import type { CommandSpec, Runner } from '@svc/runner'
import { fieldsOf } from '../project/fields.ts'
import { shellText } from '../terminal/shell-text.ts'
import type { Bench } from './bench.ts'

/** What a client of MCP says first; every server answers it, whichever version it speaks. */
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'svc plug check', version: '1.0.0' },
  },
} as const

/** Whether a program that does not speak the plugin protocol is an MCP server. */
export async function speaksMcp(bench: Bench): Promise<boolean> {
  const answer = await bench.open().ask(INITIALIZE, bench.limits.DESCRIBE_TIMEOUT_MS)
  const result = 'reply' in answer ? fieldsOf(answer.reply.result) : undefined
  return typeof result?.protocolVersion === 'string' && fieldsOf(result.serverInfo) !== undefined
}

/** The same by a runner, with what the plugin may reach; nothing that says what it speaks is asked. */
export async function describesAsMcp(
  runner: Pick<Runner, 'describe'>,
  plugin: CommandSpec,
  signal?: AbortSignal,
): Promise<boolean> {
  if (plugin.protocol !== undefined) return false
  const told = await runner.describe({ ...plugin, protocol: 'mcp' }, { ...(signal && { signal }) })
  return told.ok
}

/** What is wrong with a plugin that speaks MCP, where nothing says so. */
export const SPEAKS_MCP = 'it speaks MCP, and not the plugin protocol'

/** What the author of an app does about it. */
export const MCP_KEY_HINT = 'Write "protocol": "mcp" beside its command, in svc.plugins of package.json.'

/** What is typed instead of a command; `words` are those behind `--protocol mcp`. */
export const mcpHint = (command: string, words: readonly string[]) =>
  `Type ${shellText([...command.split(' '), '--protocol', 'mcp', ...words])}, and write "protocol": "mcp" beside its command in svc.plugins of package.json, or under distribution in svc.plug.json.`
