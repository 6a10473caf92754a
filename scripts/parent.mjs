import { readFileSync } from 'node:fs'

/** How often we look. */
const LOOK_MS = 500

/**
 * Calls `onGone` once when npm, or the shell in which it runs a task, has ended. A signal to either is often not passed
 * on: the shell dies without a word, and npm waits for it no longer. Without npm nobody is watched: who starts us by hand
 * may leave.
 *
 * @param {() => void} onGone
 */
export function watchParents(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const shell = isShell(parent) ? parentOf(parent) : null
  const timer = setInterval(() => {
    if (process.ppid === parent && (shell === null || parentOf(parent) === shell)) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  timer.unref()
}

/**
 * Whether npm runs a task in this process and is its parent: some shells become the task, and then npm is our own. Where
 * there is no /proc (macOS) they do.
 *
 * @param {number} pid
 */
function isShell(pid) {
  return read(`/proc/${pid}/cmdline`)?.split('\0')[1] === '-c'
}

/**
 * @param {number} pid
 * @returns {number | null}
 */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`)
  // The program's name stands in brackets and may hold anything; the numbers come after the last one.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
