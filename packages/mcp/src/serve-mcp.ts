import { constants } from 'node:os'
import { serve } from '@svc/plugin'
import type { McpArgs } from './parse-args.ts'
import { startServer } from './server-process.ts'

/** Signals that end a program by hand; the server is not to outlive it. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * Runs an MCP server over stdio as a plugin: the plugin wire of spec §4.5 on stdin and stdout, and MCP with the child
 * that the command starts. Ends when stdin ends, and when the child does.
 */
export function serveMcp({ command, sampling }: McpArgs): void {
  const server = startServer(command)
  process.once('exit', server.kill)
  for (const name of SIGNALS) process.once(name, () => process.exit(128 + constants.signals[name]))

  const options = {
    sampling,
    log: (sentence: string) => console.error(`svc-mcp: ${sentence}`),
    onEnd: () => void serving.end(1),
  }
  // The client is the slow part of this program's start: it is loaded while the server starts.
  const opened = import('./session.ts').then(({ openSession }) => openSession(server, options))
  const serving = serve({
    describe: async () => (await opened).describe(),
    call: async (name, args, ctx) => (await before(ctx.signal, opened)).call(name, args, ctx),
    close: server.close,
  })
  opened.catch(() => serving.end(1))
}

/** What comes, unless the signal is first. */
function before<Value>(signal: AbortSignal, coming: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    coming.then(resolve, reject)
  })
}
