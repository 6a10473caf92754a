import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What helps a server that was not there in time. */
export const SLOW_START =
  'if it only needs longer, write "start_ms"; if its command downloads it (npx, uvx), install it and name its program'

/** How an MCP server is run. */
export interface McpOptions {
  /** Lets the server ask for completions: the plugin then asks the host for `llm.sample`. */
  readonly sampling?: boolean | undefined
  /** How long it may take from its start to its tools; `MCP_START_MS` where left out. */
  readonly startMs?: number | undefined
}

/**
 * The program beside this file, `main.ts` in a checkout, `main.js` in an installed package. `undefined`: this code is in a
 * bundle, which has no such file.
 */
export function adapterFile(): string | undefined {
  // Bundles of CommonJS have no address of a module.
  const here: string | undefined = import.meta.url
  const file = here && fileURLToPath(new URL(here.endsWith('.ts') ? './main.ts' : './main.js', here))
  // A bundle may be called `main.js` itself.
  return file && file !== fileURLToPath(here) && existsSync(file) ? file : undefined
}

/**
 * The command that runs an MCP server over stdio as a plugin. It begins with `node`, which a runner reads as the Node
 * that it runs on itself. `command` is the server's program and arguments; never a shell line. Errors: this code is in a
 * bundle.
 */
export function mcpCommand(
  command: readonly string[],
  { sampling, startMs }: McpOptions = {},
): readonly [string, ...string[]] {
  const main = adapterFile()
  if (!main)
    throw new Error('no MCP server can be run from a bundle: keep @svc/mcp out of it, as an external package')
  const start = startMs === undefined ? [] : ['--start-ms', String(startMs)]
  return ['node', main, ...(sampling ? ['--sampling'] : []), ...start, '--', ...command]
}
