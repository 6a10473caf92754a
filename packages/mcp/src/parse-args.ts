import { limits } from '@svc/contract/limits'

const { PLUG_START_MIN_MS: LEAST_MS, PLUG_START_MAX_MS: MOST_MS } = limits

/** What the program is told on its command line. */
export interface McpArgs {
  /** The server's program and arguments. */
  readonly command: readonly [string, ...string[]]
  readonly sampling: boolean
  /** How long the server may take to start. */
  readonly startMs: number
}

const USAGE = 'svc-mcp [--sampling] [--start-ms MS] [--] <the command of an MCP server over stdio>'

/** Reads the command line, or returns a sentence about what is wrong. What follows the program is the server's own. */
export function parseArgs(args: readonly string[]): McpArgs | string {
  const rest = [...args]
  let sampling = false
  let startMs: number = limits.MCP_START_MS
  while (rest[0]?.startsWith('-')) {
    const option = rest.shift()
    if (option === '--') break
    if (option === '--sampling') sampling = true
    else if (option === '--start-ms') {
      startMs = Number(rest.shift())
      if (!Number.isInteger(startMs) || startMs < LEAST_MS || startMs > MOST_MS)
        return `--start-ms must be a whole number from ${LEAST_MS} to ${MOST_MS}; the usage is: ${USAGE}`
    } else return `there is no option ${option}; the usage is: ${USAGE}`
  }
  const [program, ...others] = rest
  return program ? { command: [program, ...others], sampling, startMs } : `name the server to run: ${USAGE}`
}
