import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Started } from './started.ts'

/** A tool as the server lists it. */
export interface PlainTool {
  readonly name: string
  readonly inputSchema: unknown
}

/** The longest start of a server that is not said to be slow, on a busy machine, in ms. */
const START_MS = 60_000

/**
 * What a plain client of the SDK is told by a server: the oracle of what we list. The server sees all files, and no network
 * but its loopback, so that none calls home.
 */
export async function plainList({ command, env }: Started, cwd: string): Promise<readonly PlainTool[]> {
  const [program, ...args] = command
  const apart = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--', program, ...args]
  const transport = new StdioClientTransport({
    command: 'bwrap',
    args: apart,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    cwd,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'plain', version: '1.0.0' }, {})
  try {
    await client.connect(transport, { timeout: START_MS })
    return (await client.listTools(undefined, { timeout: START_MS })).tools
  } finally {
    await client.close()
  }
}
