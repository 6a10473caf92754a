import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import path from 'node:path'
import { startTokenFile } from './start-token.ts'

/** What stops a running command: a key press, a supervisor, a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A terminal, npm and a parent may each pass on the same key press: within this time it counts once. */
const SAME_SIGNAL_MS = 500

/**
 * Waits for a signal, or for `ended` where it ends by itself, then closes. A second signal while that lasts ends the
 * process at once.
 */
export async function runUntilStopped(close: () => Promise<void>, ended?: Promise<unknown>): Promise<void> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (firstAt !== undefined && now - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal])
    firstAt ??= now
    resolve()
  }
  for (const signal of signals) process.on(signal, onSignal)
  try {
    await Promise.race([asked, ...(ended ? [ended] : [])])
    await close()
  } finally {
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
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await work(controller.signal)
  } finally {
    if (code !== undefined) process.exit(code)
    for (const signal of signals) process.off(signal, onSignal)
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
  const file = path.join(path.dirname(startTokenFile()), 'open.html')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 })
  const [program, ...args] = openers.get(process.platform) ?? ['xdg-open']
  const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' })
  child.on('error', () => console.error(`svc: ${program} is missing; open ${url} yourself`))
  child.unref()
}
