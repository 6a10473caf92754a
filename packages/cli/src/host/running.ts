import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import path from 'node:path'
import { stateFolder } from '@svc/runner'
import { endEarly } from '../terminal/early-signals.ts'
import { printError } from '../terminal/print.ts'

/** What stops a running command: a key press, a supervisor, a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A terminal, npm and a parent may each pass on the same key press: within this time it counts once. */
const SAME_SIGNAL_MS = 500

/** How what runs until it is stopped is started. Each step ends the start by an exception where a signal has come. */
export interface Starting {
  /** Waits for work that holds nothing: a signal leaves it behind. */
  wait<Result>(work: Promise<Result>): Promise<Result>
  /** Waits for work to its end, also where a signal comes; `close` is called at the end, the last opened first. */
  open<Result>(work: Promise<Result>, close?: (opened: Result) => unknown): Promise<Result>
  /** Fires at a signal. */
  readonly signal: AbortSignal
}

/** What is being opened may wait on a timer that keeps no process alive, and must come to its end. */
const AWAKE_MS = 2 ** 30

/**
 * Starts something, waits for a signal, or for `ended` where it ends by itself, then closes what was opened. A signal at
 * any moment of the start does the same. A second signal while that lasts ends the process at once.
 */
export async function runUntilStopped(
  start: (starting: Starting) => Promise<{ readonly ended?: Promise<unknown> | undefined }>,
): Promise<void> {
  const stop = new AbortController()
  const asked = once(stop.signal, 'abort')
  const refused = asked.then(() => Promise.reject(new Stopped()))
  refused.catch(() => undefined)
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (firstAt !== undefined && now - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal])
    firstAt ??= now
    stop.abort()
  }
  const stopHearing = hear(onSignal)
  const awake = setInterval(() => undefined, AWAKE_MS).unref()
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    try {
      await closers.pop()?.()
    } finally {
      if (closers.length > 0) await closeAll()
    }
  }
  try {
    const { ended } = await start({
      signal: stop.signal,
      wait: (work) => Promise.race([work, refused]),
      async open(work, close) {
        awake.ref()
        const opened = await work
        if (close) closers.push(() => close(opened))
        if (stop.signal.aborted) throw new Stopped()
        return opened
      },
    })
    await Promise.race([asked, ...(ended ? [ended] : [])])
    await closeAll()
  } catch (error) {
    await closeAll()
    // What a step left behind would keep the process.
    if (error instanceof Stopped) process.exit()
    throw error
  } finally {
    clearInterval(awake)
    stopHearing()
  }
}

/** Ends a start at a signal. */
class Stopped extends Error {}

/** Hears signals in the place of what ends the process. Returns what stops hearing. */
function hear(onSignal: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, onSignal).off(signal, endEarly)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/**
 * Does work that a signal cancels: its abort ends what the work started, and the process then ends as that signal has
 * it. A second signal ends the process at once.
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  let code: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (code !== undefined) process.exit(code)
    code = 128 + constants.signals[signal]
    controller.abort(new DOMException(`stopped by ${signal}`, 'AbortError'))
  }
  const stopHearing = hear(onSignal)
  try {
    return await work(controller.signal)
  } finally {
    if (code !== undefined) process.exit(code)
    stopHearing()
  }
}

/** The program that opens an address, by platform. */
const openers: ReadonlyMap<NodeJS.Platform, readonly [string, ...string[]]> = new Map([
  ['darwin', ['open']],
  ['win32', ['cmd', '/c', 'start', '']],
])

/**
 * Opens an address in the user's browser; on a machine without one the address is printed anyway. The address holds a
 * secret and arguments are read by every user of the machine: the browser is given a file of this user that leads to
 * it.
 */
export async function openInBrowser(url: string): Promise<void> {
  const file = path.join(stateFolder(process.env), 'open.html')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 })
  const [program, ...args] = openers.get(process.platform) ?? ['xdg-open']
  const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' })
  child.on('error', () => printError(`svc: ${program} is missing; open ${url} yourself`))
  child.unref()
}
