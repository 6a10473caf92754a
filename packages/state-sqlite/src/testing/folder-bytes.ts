import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What keeps no state: who has the folder, and what SQLite makes to read a log, which may be empty. */
const SCRATCH = /^lock\.(db|pid)|-shm$/

/** Each file below a folder with the digest of its bytes, but for scratch files. */
export function folderBytes(dir: string): Record<string, string> {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return {}
  const found: Record<string, string> = {}
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || SCRATCH.test(entry.name)) continue
    const file = path.join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    if (bytes.length === 0 && file.endsWith('-wal')) continue
    found[path.relative(dir, file)] = createHash('sha256').update(bytes).digest('hex')
  }
  return found
}
