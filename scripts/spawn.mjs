import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { watchParents } from './parent.mjs'
import { programOf } from './program.mjs'

const isWindows = process.platform === 'win32'

/** How long a command may take to end after it was asked to. */
const GRACE_MS = 10_000
/** A terminal, npm and a parent may each pass on the same key press: within this time it counts once. */
const SAME_SIGNAL_MS = 500

/** @type {Set<import('node:child_process').ChildProcess>} */
const living = new Set()
let lastSignalAt = Number.NEGATIVE_INFINITY
let stopped = false

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => stopAll(signal))
}
watchParents(() => stopAll('SIGTERM'))

/** Where the system can do it, a command is told to end when we are killed without a chance to pass it on. */
const leash =
  process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
    ? ['setpriv', '--pdeathsig', 'TERM']
    : []

/** Whether a signal asked us to stop: no further command is worth starting. */
export const isStopped = () => stopped

/**
 * Runs a command in a process group of its own and waits for it. Signals that reach us reach the command
 * once; whatever it leaves behind in its group ends with it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ capture?: boolean, echo?: boolean, stdin?: 'ignore' | 'inherit', minutes?: number, cwd?: string, env?: NodeJS.ProcessEnv }} [options] `capture` collects what it prints,
 *   with `echo` prints it as well, `minutes` is the longest it may take
 * @returns {Promise<{ code: number, output: string }>} the exit code, 128 + n after signal n, 127 where it could not start
 */
export function run(
  command,
  args,
  { capture = false, echo = false, stdin = 'ignore', minutes, cwd = process.cwd(), env = process.env } = {},
) {
  return new Promise((resolve) => {
    const [file = command, ...rest] = [...leash, ...programOf(command, { env }), ...args]
    const stdio = capture ? 'pipe' : 'inherit'
    const child = spawn(file, rest, {
      cwd,
      // On Windows that is a console of its own.
      detached: !isWindows,
      windowsHide: true,
      env,
      stdio: [stdin, stdio, stdio],
    })
    living.add(child)
    /** @type {Buffer[]} */
    const chunks = []
    for (const from of [child.stdout, child.stderr]) {
      from?.on('data', (chunk) => chunks.push(chunk))
      if (echo) from?.pipe(process.stdout, { end: false })
    }
    const late = minutes && setTimeout(() => giveUp(child, command, minutes), minutes * 60_000)

    /** @param {number} code */
    const settle = (code) => {
      clearTimeout(late)
      living.delete(child)
      signalGroup(child, 'SIGKILL')
      resolve({ code, output: Buffer.concat(chunks).toString() })
    }
    child.on('error', (error) => {
      console.error(`svc: ${command} could not be started (${error.message})`)
      settle(127)
    })
    // `close` waits for what was printed; a process left behind can hold the pipe, so the group ends first.
    child.on('exit', () => signalGroup(child, 'SIGKILL'))
    child.on('close', (code, signal) => settle(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} command
 * @param {number} minutes
 */
function giveUp(child, command, minutes) {
  console.error(`svc: ${command} took longer than ${minutes} minutes and is stopped`)
  stop(child, 'SIGTERM')
}

/** @param {'SIGINT' | 'SIGTERM' | 'SIGHUP'} signal */
function stopAll(signal) {
  const now = performance.now()
  if (now - lastSignalAt < SAME_SIGNAL_MS) return
  lastSignalAt = now
  stopped = true
  for (const child of living) stop(child, signal)
  if (living.size === 0) process.exit(128 + constants.signals[signal])
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function stop(child, signal) {
  // Windows has no signals: what it has for them ends one process and leaves those that it started.
  if (isWindows) return signalGroup(child, signal)
  child.kill(signal)
  setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref()
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  if (isWindows) {
    // Those that a process started are found by its parentage, while it lives.
    if (child.exitCode === null) spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)])
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is empty.
  }
}
