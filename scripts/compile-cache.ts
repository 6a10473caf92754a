import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What the name of such a folder begins with; the id of the process follows. */
const NAME = 'svc-compiled-'

/**
 * Set-up of a run of Vitest: the hundreds of processes that tests start compile each module once, not each for itself.
 * Returns what removes the compiled modules again. What a process writes after that goes with the next run.
 */
export function setup(): () => void {
  for (const name of readdirSync(tmpdir())) if (isLeft(name)) remove(path.join(tmpdir(), name))
  const dir = mkdtempSync(path.join(tmpdir(), `${NAME}${process.pid}-`))
  process.env.NODE_COMPILE_CACHE = dir
  return () => remove(dir)
}

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true, maxRetries: 3 })

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
