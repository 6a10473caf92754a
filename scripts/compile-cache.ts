import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Set-up of a run of Vitest: the hundreds of processes that tests start compile each module once, not each for itself.
 * Returns what removes the compiled modules again.
 */
export function setup(): () => void {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-compiled-'))
  process.env.NODE_COMPILE_CACHE = dir
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
}
