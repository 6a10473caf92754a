import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeSync,
} from 'node:fs'

/** Cgroups as the kernel shows them: folders, each with its files. */
export interface CgroupFiles {
  isThere(path: string): boolean
  /** Returns what a file says. Throws where it is not there, or hidden. */
  read(path: string): string
  /** Writes a file that is there. Throws what the kernel answers. */
  write(path: string, text: string): void
  /** Makes a folder, which the kernel fills with files. */
  make(path: string): void
  /** Removes a folder; whether it is gone: it stays where a process or a folder is in it. */
  remove(path: string): boolean
  /** Returns the names in a folder. */
  list(path: string): readonly string[]
}

/** Those of this machine. */
export const cgroupFiles: CgroupFiles = {
  isThere: existsSync,
  read: (path) => readFileSync(path, 'latin1'),
  // Never makes a file, as of a controller that is missing, and never reads one: some may only be written.
  write(path, text) {
    const file = openSync(path, constants.O_WRONLY)
    try {
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
  },
  make: (path) => mkdirSync(path),
  remove(path) {
    try {
      rmdirSync(path)
    } catch {
      return !existsSync(path)
    }
    return true
  },
  list: (path) => readdirSync(path),
}
