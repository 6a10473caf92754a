import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'

/** Makes a folder for a test, in memory where the machine has a place for it: nothing that is synced there waits for a disk. */
export const quickFolder = (name: string): string =>
  mkdtempSync(path.join(existsSync(MEMORY) ? MEMORY : tmpdir(), `${name}-`))
