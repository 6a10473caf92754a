import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@svc/contract/limits'
import { visibleLine } from '@svc/contract/visible-text'
import { serve } from '@svc/plugin'
import type { McpArgs } from './parse-args.ts'
import { startServer } from './server-process.ts'

/** Signals that end a program by hand; the server is not to outlive it. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * Runs an MCP server over stdio as a plugin: the plugin wire (docs/reference/stdio.md) on stdin and stdout, and MCP
 * with the child that the command starts. Ends when stdin ends, and when the child does.
 */
export function serveMcp({ command, sampling, startMs }: McpArgs): void {
  const server = startServer(command)
  process.once('exit', server.kill)
  for (const name of SIGNALS) process.once(name, () => process.exit(128 + constants.signals[name]))

  const options = {
    sampling,
    startMs,
    log: (sentence: string) => console.error(visibleLine(`svc-mcp: ${sentence}`)),
    onToolsChanged: () => serving.toolsChanged(),
    onEnd: giveUp,
  }
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  const onAsked = () => {
    isAsked = true
    resolve()
  }
  // The client is the slow part of this program's start: it is loaded while the server starts.
  const opened = import('./session.ts').then(({ openSession }) => openSession(server, options))
  const serving = serve({
    async describe() {
      onAsked()
      const signal = AbortSignal.timeout(startMs)
      return (await opened).describe(signal)
    },
    async call(name, args, ctx) {
      onAsked()
      return (await before(ctx.signal, opened)).call(name, args, ctx)
    },
    close: server.close,
  })
  opened.catch(giveUp)

  /**
   * Takes nothing more before the call under way is answered, so that no other is sent here. A server that failed at
   * once is told of: the host's first line may be unread yet.
   */
  function giveUp() {
    // What it ended with is told of this process as well.
    const end = () => void serving.end(server.exitCode ?? 1)
    if (isAsked) end()
    else void Promise.race([asked, pause(limits.MCP_END_MS)]).then(end)
  }
}

/** What comes, unless the signal is first. */
function before<Value>(signal: AbortSignal, coming: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
    coming.then(resolve, reject)
  })
}
