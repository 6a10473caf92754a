import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import path from 'node:path'
import type { Project } from '../project/project.ts'

/** An editor writes a file in more than one step: the last of them counts. */
const SETTLED_MS = 100

/**
 * Watches the programs of an app's plugins: the script that a command names, and the files beside it with its ending.
 * Beside a script in the app's own folder other things than its parts are: there it is watched alone. `onSaved` gets the
 * slug of a plugin after its program was saved. Returns what ends the watching.
 */
export function watchPlugins(app: Project, onSaved: (slug: string) => void): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const watchers = app.plugins.flatMap(({ slug, command }): FSWatcher[] => {
    const script = command.map((word) => path.resolve(app.dir, word)).find((file) => isScript(app.dir, file))
    if (script === undefined) return []
    const folder = path.dirname(script)
    // A file of types, such as that of the app, is no part of a program.
    const isPart = (name: string) =>
      folder === app.dir
        ? name === path.basename(script)
        : path.extname(name) === path.extname(script) && !name.endsWith('.d.ts')
    const watcher = watch(folder, (_, name) => {
      if (name === null || !isPart(name)) return
      clearTimeout(timers.get(slug))
      timers.set(
        slug,
        setTimeout(() => onSaved(slug), SETTLED_MS),
      )
    })
    // A folder that goes away is watched no longer.
    watcher.on('error', () => watcher.close())
    return [watcher]
  })
  return () => {
    for (const timer of timers.values()) clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

function isScript(dir: string, file: string): boolean {
  const inside = path.relative(dir, file)
  return !inside.startsWith('..') && !path.isAbsolute(inside) && existsSync(file) && statSync(file).isFile()
}
