import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandPart } from './command-part.ts'
import { startOf } from './start.ts'

/** Puts a single program into a fresh folder, and returns what starts it. */
export async function fillWith(folder: string, name: string, bytes: Buffer): Promise<readonly CommandPart[]> {
  await writeFile(join(folder, name), bytes, { flag: 'wx', mode: 0o700 })
  return startOf(folder, name)
}
