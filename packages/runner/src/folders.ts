import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The folders of a runner's processes: one each that goes with the process, and a compile cache for each user and
 * plugin, so that no user's process can leave code for another's.
 *
 * `own` and `cache` throw where the disk does not let them; what cannot be removed stays behind.
 */
export function openFolders(root?: string) {
  let base: string | undefined
  let count = 0
  const caches = new Map<string, string>()
  const make = (kind: string) => {
    if (!base) {
      if (root) mkdirSync(root, { recursive: true })
      base = mkdtempSync(join(root ?? tmpdir(), 'svc-runner-'))
    }
    // Never the same name twice: the folder that had it may still be on its way out.
    const folder = join(base, `${kind}${++count}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }
  const drop = (folder: string) => rm(folder, { recursive: true, force: true }).catch(() => {})

  return {
    own: () => make('p'),
    /** The compile cache that goes by a key; the same folder until it is dropped. */
    cache(key: string): string {
      const folder = caches.get(key) ?? make('c')
      caches.set(key, folder)
      return folder
    },
    drop,
    async dropCache(key: string): Promise<void> {
      const folder = caches.get(key)
      caches.delete(key)
      if (folder) await drop(folder)
    },
    async close(): Promise<void> {
      const folder = base
      base = undefined
      caches.clear()
      if (folder) await drop(folder)
    },
  }
}

/** See `openFolders`. */
export type Folders = ReturnType<typeof openFolders>
