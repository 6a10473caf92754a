import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex, Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { needsExact, parseExact } from '@svc/contract/exact-json'
import { limits } from '@svc/contract/limits'
import { type Line, lineSplitter } from '@svc/contract/lines'
import { mayBeWhole } from '@svc/contract/meant-line'
import { findOnPath, signalGroup, wordsOf } from './programs.ts'

/** What is heard of a server. */
export interface ServerEvents {
  /** A line of its stdout that is a JSON object. */
  onMessage(message: object): void
  /** A line of its stdout that is none, not UTF-8, or too long: it is dropped. */
  onNoise(line: Line): void
  /** What has come of a line that may never end, such as a message without a line feed. */
  onOpenLine(line: Uint8Array): void
  /** It has ended, or could not be started; the sentence goes on behind "the MCP server". */
  onEnd(sentence: string): void
}

/** The process of an MCP server. */
export interface ServerProcess {
  /** Who hears of it; what came before waits. */
  listen(events: ServerEvents): void
  send(message: object): void
  /** The last message, where it had not read it when it ended. */
  readonly unread: object | undefined
  /** What it ended with by itself, as a shell says it: of a signal 128 and its number. */
  readonly exitCode: number | undefined
  /** Ends its stdin, then it by SIGTERM, then it and its group by SIGKILL. Twice is harmless. */
  close(): Promise<void>
  /** Kills it and its group at once: for the moment at which this process exits. */
  kill(): void
}

/**
 * Node reads no stdin that it made itself, and so does not hear that what was sent was never read; of any other pipe it
 * does. A shell makes one the server's stdin, and becomes the server.
 */
const isWindows = process.platform === 'win32'
const [INPUT, SHELL] = isWindows ? [0, []] : [3, ['/bin/sh', '-c', 'exec "$@" <&3 3<&-', 'sh']]
/** What a shell exits with where there is no such program. */
const NOT_FOUND = 127
/** What a shell exits with after a signal is above this. */
const OF_SIGNAL = 128

/**
 * Starts an MCP server, whose stdout is read as lines of JSON. It has the environment and the folder of this process,
 * and its stderr. It leads a group of its own, so that what it starts ends with it.
 */
export function startServer([program, ...args]: readonly [string, ...string[]]): ServerProcess {
  // Elsewhere the shell looks for it.
  const found = isWindows ? wordsOf(findOnPath(program, '.', process.env.PATH) ?? program) : [program]
  const named = program === 'node' ? [process.execPath] : found
  const [file = program, ...words] = [...SHELL, ...named, ...args]
  const child = spawn(file, words, {
    stdio: [INPUT === 0 ? 'pipe' : 'ignore', 'pipe', 'inherit', 'pipe'],
    // On Windows that is a console of its own.
    detached: !isWindows,
    windowsHide: true,
  })
  const stdout = child.stdio[1] as Readable
  const stdin = child.stdio[INPUT] as Duplex
  let hasSpoken = false
  let isOurs = false
  stdout.once('data', () => {
    hasSpoken = true
  })
  // Nothing is read before somebody listens.
  stdout.pause()
  let ended: string | undefined
  let last: object | undefined
  let unread: object | undefined
  let onEnd: ((sentence: string) => void) | undefined
  let takeLast = () => {}
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const end = (sentence: string) => {
    if (ended !== undefined) return
    ended = sentence
    resolve()
    onEnd?.(sentence)
  }
  child.once('error', (error) => end(`cannot be started: ${error.message}`))
  child.once('exit', async (code, signal) => {
    // What it wrote last is in the pipe still; what it left running may hold the pipes open.
    await Promise.race([Promise.all([stdin, stdout].map(closed)), pause(limits.DRAIN_MS)])
    takeLast()
    const isMissing = code === NOT_FOUND && !hasSpoken && !isThere(program)
    if (isMissing) end(`cannot be started: there is no program ${program}`)
    else end(`has ended ${code === null ? `by signal ${signal}` : `with exit code ${code}`}`)
  })
  stdin.on('error', () => {
    unread = last
  })
  stdin.once('close', () => {
    // It is ending, as is told of above, or it only reads no more.
    setTimeout(() => {
      if (child.exitCode !== null || child.signalCode !== null) return
      end('has closed its stdin')
      signal('SIGKILL')
    }, limits.DRAIN_MS)
  })
  // Nothing is expected there but its end.
  stdin.once('data', () => stdin.pause())

  const signal = (name: NodeJS.Signals) => {
    isOurs = true
    // On Windows another process may have the id of one that has ended.
    if (child.pid === undefined || (isWindows && child.exitCode !== null)) return
    signalGroup(child.pid, name)
  }
  let closing: Promise<void> | undefined

  return {
    get unread() {
      return unread
    },
    get exitCode() {
      const { exitCode, signalCode } = child
      if (exitCode !== null || signalCode === null || isOurs) return exitCode ?? undefined
      return OF_SIGNAL + constants.signals[signalCode]
    },
    listen(events) {
      onEnd = events.onEnd
      const splitter = lineSplitter(limits.LINE_MAX_BYTES, (line) => {
        const message = 'tooLong' in line || !isUtf8(line) ? undefined : messageOf(line)
        if (message) events.onMessage(message)
        else events.onNoise(line)
      })
      takeLast = splitter.end
      stdout.on('data', (chunk: Buffer) => {
        splitter.push(chunk)
        if (mayBeWhole(chunk, splitter.heldBytes)) events.onOpenLine(splitter.held())
      })
      stdout.resume()
      if (ended !== undefined) events.onEnd(ended)
    },
    send(message) {
      last = message
      if (ended === undefined && stdin.writable) stdin.write(`${JSON.stringify(message)}\n`)
      else unread = last
    },
    close() {
      closing ??= endOf(gone, [() => stdin.end(), () => signal('SIGTERM')]).then(() => signal('SIGKILL'))
      return closing
    },
    kill: () => signal('SIGKILL'),
  }
}

/** Whether there is a program: what ends with `NOT_FOUND` may have found no other. */
const isThere = (program: string): boolean =>
  program === 'node' || findOnPath(program, '.', process.env.PATH) !== undefined

const closed = (stream: Duplex | Readable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) resolve()
    else stream.once('close', () => resolve())
  })

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

/** Alone: an id that is written as `1.0` is that of call 1. */
const resultIn = (text: string): unknown => (parseExact(text) as { readonly result: unknown }).result

function messageOf(line: Uint8Array): object | undefined {
  try {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    // What a tool answers goes on with its numbers as they came; all else is read by the client.
    return 'result' in value && needsExact(line) ? { ...value, result: resultIn(text) } : value
  } catch {
    return undefined
  }
}
