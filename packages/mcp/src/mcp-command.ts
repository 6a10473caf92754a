import { fileURLToPath } from 'node:url'

/** How an MCP server is run. */
export interface McpOptions {
  /** Lets the server ask for completions: the plugin then asks the host for `llm.sample`. */
  readonly sampling?: boolean | undefined
}

/** The program beside this file: `main.ts` in a checkout, `main.js` in an installed package. */
const main = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url),
)

/**
 * The command that runs an MCP server over stdio as a plugin. It begins with `node`, which a runner reads as the Node
 * that it runs on itself. `command` is the server's program and arguments; never a shell line.
 */
export function mcpCommand(
  command: readonly string[],
  { sampling }: McpOptions = {},
): readonly [string, ...string[]] {
  return ['node', main, ...(sampling ? ['--sampling'] : []), '--', ...command]
}
