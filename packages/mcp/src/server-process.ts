import { spawn } from 'node:child_process'
import { limits } from '@svc/contract/limits'
import { lineSplitter } from '@svc/contract/lines'

/** What is heard of a server. */
export interface ServerEvents {
  /** A line of its stdout that is a JSON object. */
  onMessage(message: object): void
  /** A line of its stdout that is none, or too long for one: it is dropped. */
  onNoise(bytes: number, isTooLong: boolean): void
  /** It has ended, or could not be started; the sentence goes on behind "the MCP server". */
  onEnd(sentence: string): void
}

/** The process of an MCP server. */
export interface ServerProcess {
  /** Who hears of it; what came before waits. */
  listen(events: ServerEvents): void
  send(message: object): void
  /** Ends its stdin, then it by SIGTERM, then it and its group by SIGKILL. Twice is harmless. */
  close(): Promise<void>
  /** Kills it and its group at once: for the moment at which this process exits. */
  kill(): void
}

/**
 * Starts an MCP server, whose stdout is read as lines of JSON. It has the environment and the folder of this process,
 * and its stderr. It leads a group of its own, so that what it starts ends with it.
 */
export function startServer([program, ...args]: readonly [string, ...string[]]): ServerProcess {
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const { stdin, stdout } = child
  // Nothing is read before somebody listens.
  stdout.pause()
  let ended: string | undefined
  let onEnd: ((sentence: string) => void) | undefined
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const end = (sentence: string) => {
    if (ended !== undefined) return
    ended = sentence
    resolve()
    onEnd?.(sentence)
  }
  child.once('error', (error) => end(`cannot be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    // What it wrote last is in the pipe still; what it left running may hold the pipe open.
    const told = () => end(`has ended ${code === null ? `by signal ${signal}` : `with exit code ${code}`}`)
    stdout.once('close', told)
    setTimeout(told, limits.DRAIN_MS)
  })
  // A server that has ended takes nothing: its end is told of above.
  stdin.on('error', () => {})

  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The group is gone.
    }
  }
  let closing: Promise<void> | undefined

  return {
    listen(events) {
      onEnd = events.onEnd
      const splitter = lineSplitter(limits.LINE_MAX_BYTES, (line) => {
        if ('tooLong' in line) return events.onNoise(line.tooLong, true)
        const message = messageOf(line)
        if (message) events.onMessage(message)
        else if (line.length > 0) events.onNoise(line.length, false)
      })
      stdout.on('data', (chunk: Buffer) => void splitter.push(chunk))
      stdout.resume()
      if (ended !== undefined) events.onEnd(ended)
    },
    send(message) {
      if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`)
    },
    close() {
      closing ??= endOf(gone, [() => stdin.end(), () => signal('SIGTERM')]).then(() => signal('SIGKILL'))
      return closing
    },
    kill: () => signal('SIGKILL'),
  }
}

/** Takes one step after the other, each with a moment for what it asks. */
async function endOf(gone: Promise<void>, steps: readonly (() => unknown)[]): Promise<void> {
  let isGone = false
  const seen = gone.then(() => {
    isGone = true
  })
  for (const step of steps) {
    if (isGone) return
    step()
    const { promise: waited, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limits.MCP_END_MS)
    await Promise.race([seen, waited])
    clearTimeout(timer)
  }
}

function messageOf(line: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
