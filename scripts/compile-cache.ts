import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** In the checkout, so that whoever may run its tests may remove what they left. */
const FOLDER = path.resolve(import.meta.dirname, '../node_modules/.cache/svc')
/** What the name of such a folder begins with; the id of the process follows. */
const NAME = 'compiled-'

/**
 * Set-up of a run of tests: the hundreds of processes that they start compile each module once, not each for itself. Of one
 * that lies in another run it is that one's. Returns what removes the compiled modules again; what a process writes after
 * that goes with the next run.
 */
export function setup(): () => void {
  if (process.env.NODE_COMPILE_CACHE?.startsWith(path.join(FOLDER, NAME))) return () => {}
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) if (isLeft(name)) remove(path.join(FOLDER, name))
  const dir = mkdtempSync(path.join(FOLDER, `${NAME}${process.pid}-`))
  process.env.NODE_COMPILE_CACHE = dir
  return () => remove(dir)
}

/** A process that is ending may still write there: what is left goes with the next run. */
function remove(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

/** Whether a folder is one of a run that has ended. */
function isLeft(name: string): boolean {
  const pid = name.startsWith(NAME) ? Number(name.slice(NAME.length).split('-')[0]) : Number.NaN
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
