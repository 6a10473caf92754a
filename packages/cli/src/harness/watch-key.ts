import { watch } from 'node:fs'
import { VALUES_FILE } from '../project/given-values.ts'
import { pluginsOf } from '../project/plugins-of.ts'
import { type Project, readProject } from '../project/project.ts'
import type { SvcKey } from '../project/svc-key.ts'
import { Failure } from '../terminal/failure.ts'

/** An editor writes a file in more than one step: it is read this long after the last of them. */
const SETTLED_MS = 100

/**
 * Watches the `svc` key of an app's package.json, and the values in `.env`. `onKey` gets the new one, or what is wrong with it, after each save
 * that changed it. Returns what ends the watching.
 */
export function watchKey(app: Project, onKey: (key: SvcKey | Failure) => void): () => void {
  let before = textOf(app)
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const now = read(app.dir)
    if (now.text === before) return
    before = now.text
    onKey(now.key)
  }
  const watcher = watch(app.dir, (_, name) => {
    if (name !== 'package.json' && name !== VALUES_FILE) return
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

function read(dir: string): { readonly key: Project | Failure; readonly text: string } {
  try {
    const key = readProject(dir)
    return { key, text: textOf(key) }
  } catch (error) {
    if (error instanceof Failure) return { key: error, text: error.message }
    throw error
  }
}

/** What a change is told by: of the plugins also their values, which `.env` has. */
const textOf = (key: Project) => JSON.stringify([pluginsOf([key]), key.storage, key.types])
