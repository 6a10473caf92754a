import { watch } from 'node:fs'
import { type Project, readProject } from '../project/project.ts'
import type { SvcKey } from '../project/svc-key.ts'
import { Failure } from '../terminal/failure.ts'

/** An editor writes a file in more than one step: it is read this long after the last of them. */
const SETTLED_MS = 100

/**
 * Watches the `svc` key of an app's package.json. `onKey` gets the new one, or what is wrong with it, after each save
 * that changed it. Returns what ends the watching.
 */
export function watchKey(app: Project, onKey: (key: SvcKey | Failure) => void): () => void {
  let before = textOf(app)
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const key = read(app.dir)
    const text = textOf(key)
    if (text === before) return
    before = text
    onKey(key)
  }
  const watcher = watch(app.dir, (_, name) => {
    if (name !== 'package.json') return
    clearTimeout(timer)
    timer = setTimeout(check, SETTLED_MS)
  })
  // A folder that goes away is watched no longer.
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function read(dir: string): Project | Failure {
  try {
    return readProject(dir)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

const textOf = (key: SvcKey | Failure) =>
  key instanceof Failure ? key.message : JSON.stringify([key.plugins, key.storage, key.types])
