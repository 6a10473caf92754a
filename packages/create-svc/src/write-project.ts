import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CreateError } from './create-error.ts'

const PROGRAM_MODE = 0o755
const FILE_MODE = 0o644

/** Writes the files of a project into a folder, which is made where there is none. Overwrites nothing. */
export function writeProject(dir: string, files: ReadonlyMap<string, string>): void {
  try {
    for (const [file, text] of files) {
      const target = path.join(dir, file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, text, { flag: 'wx', mode: text.startsWith('#!') ? PROGRAM_MODE : FILE_MODE })
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CreateError(
      'folder',
      `the project could not be written: ${reason}`,
      `Choose a folder where you may write. What was written is in ${dir}.`,
    )
  }
}
