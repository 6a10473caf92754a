import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/**
 * Finds the file behind the first word of a command, or answers nothing.
 *
 * Looked up here and not by the kernel because the isolator puts other programs in front of it, whose own start
 * always succeeds. `node` is the Node that runs the runner: a machine's own may be too old for the plugin.
 */
export function findProgram(name: string, cwd: string, path: string | undefined): string | undefined {
  return name === 'node' ? process.execPath : findOnPath(name, cwd, path)
}

/** As `findProgram`, with `node` as any other name: as programs find those that they start. */
export function findOnPath(name: string, cwd: string, path: string | undefined): string | undefined {
  if (name.includes('/')) return runnable(resolve(cwd, name))
  for (const folder of (path ?? '').split(delimiter)) {
    const file = folder && runnable(join(folder, name))
    if (file) return file
  }
  return undefined
}

function runnable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}
