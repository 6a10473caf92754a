import { statSync } from 'node:fs'

/** When a file was saved, and its size, as text: ticks of a file system are long, and a save may begin with an empty file. */
export function stampOf(file: string): string {
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return `${mtimeMs} ${size}`
}
