import { closeSync } from 'node:fs'
import module from 'node:module'
import { limits } from '@svc/contract/limits'
import { lineSplitter } from '@svc/contract/lines'
import { answerer } from './answer.ts'
import { processClock } from './context.ts'
import type { Plugin } from './describe.ts'
import { isLive, type LivePlugin } from './live-plugin.ts'

/** A plugin that serves. */
export interface Serving {
  /**
   * Tells the host that the tools are others now; it asks for them soon. For a `LivePlugin`, whose `describe` returns them.
   * Told once until it asks.
   */
  toolsChanged(): void
  /**
   * Reads nothing more, lets calls under way finish, and exits; the end of stdin does the same with 0. `exitCode` is
   * for a plugin that cannot go on. stdin is closed before this returns, so that what comes for it goes to another
   * process.
   */
  end(exitCode?: number): Promise<void>
}

/**
 * Runs the plugin: answers lines of stdin on stdout until stdin ends, lets calls under way finish, and exits.
 *
 * stdout belongs to the wire from here on: what the author prints there (`console.log` too) goes to stderr,
 * which is the plugin's log. A line over 16 MiB, or one that is not a request, is logged and skipped.
 *
 * @example
 * ```ts
 * import { serve, tool } from '@svc/plugin'
 *
 * serve({
 *   name: 'greeter',
 *   version: '1.0.0',
 *   tools: {
 *     greet: tool({
 *       description: 'Greets somebody.',
 *       parameters: [{ name: 'name', type: 'string', required: true }],
 *       run: ({ name }) => ({ text: `Hello, ${name}!` }),
 *     }),
 *   },
 * })
 * ```
 */
export function serve(plugin: Plugin | LivePlugin): Serving {
  const { stdin, stdout } = process
  const send = stdout.write.bind(stdout)
  stdout.write = ((...what: Parameters<typeof stdout.write>) =>
    process.stderr.write(...what)) as typeof stdout.write

  const plugged = answerer(plugin, {
    write(line) {
      if (!send(`${line}\n`)) pause()
    },
    // A host that does not read is owed the answers; progress is bounded, and must not keep a cancel from being read.
    tell(line) {
      const fits = stdout.writableLength <= limits.UNREAD_ANSWERS_MAX_BYTES
      if (fits) send(`${line}\n`)
      return fits
    },
    log: (...what) => console.error(...what),
    clock: processClock,
  })

  let waiting = false
  // A host that reads slowly is not sent more work's worth of answers than it takes.
  function pause() {
    if (waiting) return
    waiting = true
    stdin.pause()
    stdout.once('drain', () => {
      waiting = false
      stdin.resume()
    })
  }

  const splitter = lineSplitter(limits.LINE_MAX_BYTES, (line) => {
    if ('tooLong' in line) console.error(`skipped a line of more than ${limits.LINE_MAX_BYTES} bytes`)
    else if (line.length > 0) plugged.take(textOf(line))
  })
  const take = (chunk: Buffer) => void splitter.push(chunk)
  stdin.on('data', take)
  let isEnding = false
  async function end(exitCode?: number) {
    if (isEnding) return
    isEnding = true
    stdin.off('data', take).destroy()
    closeInput()
    plugged.cutOff()
    await plugged.settled()
    if (isLive(plugin)) await plugin.close?.()
    // `exit` drops what a pipe has not taken yet; what the author left running would keep the loop alive for ever.
    send('', () => process.exit(exitCode))
  }

  stdin.on('end', () => {
    splitter.end()
    void end()
  })
  stdin.on('error', () => process.exit())
  // The host is gone: nobody reads the answers any more.
  stdout.on('error', () => process.exit())
  // A runner kills its plugins, and Node writes its compile cache at a clean exit only.
  setTimeout(module.flushCompileCache, limits.COMPILE_CACHE_FLUSH_MS).unref()
  return { end, toolsChanged: plugged.toolsChanged }
}

/** Node leaves the descriptor open, and who writes there would believe that it is read. */
function closeInput(): void {
  try {
    closeSync(0)
  } catch {
    // It is closed.
  }
}

function textOf(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()
}
