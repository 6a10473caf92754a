/** What the program is told on its command line. */
export interface McpArgs {
  /** The server's program and arguments. */
  readonly command: readonly [string, ...string[]]
  readonly sampling: boolean
}

const USAGE = 'svc-mcp [--sampling] [--] <the command of an MCP server over stdio>'

/** Reads the command line, or returns a sentence about what is wrong. What follows the program is the server's own. */
export function parseArgs(args: readonly string[]): McpArgs | string {
  const rest = [...args]
  let sampling = false
  while (rest[0]?.startsWith('-')) {
    const option = rest.shift()
    if (option === '--') break
    if (option !== '--sampling') return `there is no option ${option}; the usage is: ${USAGE}`
    sampling = true
  }
  const [program, ...others] = rest
  return program ? { command: [program, ...others], sampling } : `name the server to run: ${USAGE}`
}
