import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import path from 'node:path'

/** An editor writes a file in more than one step: the last of them counts. */
const SETTLED_MS = 100

/**
 * Watches the program of a plugin: the script that its command names, and the files beside it with its ending. Beside a
 * script in the folder where it starts are other things than its parts: there it is watched alone. Returns what ends the
 * watching; `null` where the command names no script in that folder.
 *
 * @param cwd the folder where it starts
 */
export function watchProgram(
  cwd: string,
  command: readonly string[],
  onSaved: () => void,
): (() => void) | null {
  const script = command.map((word) => path.resolve(cwd, word)).find((file) => isScript(cwd, file))
  if (script === undefined) return null
  const folder = path.dirname(script)
  // A file of types, such as that of the app, is no part of a program.
  const isPart = (name: string) =>
    folder === path.resolve(cwd)
      ? name === path.basename(script)
      : path.extname(name) === path.extname(script) && !name.endsWith('.d.ts')
  let timer: NodeJS.Timeout | undefined
  const watcher: FSWatcher = watch(folder, (_, name) => {
    if (name === null || !isPart(name)) return
    clearTimeout(timer)
    timer = setTimeout(onSaved, SETTLED_MS)
  })
  // A folder that goes away is watched no longer.
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function isScript(dir: string, file: string): boolean {
  const inside = path.relative(dir, file)
  return !inside.startsWith('..') && !path.isAbsolute(inside) && existsSync(file) && statSync(file).isFile()
}
