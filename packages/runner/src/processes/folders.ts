import { existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { emptyTree, removeTree } from '@svc/node'
import { HOME } from '../isolation/bubblewrap.ts'
import { copySettings, ETC_FOLDERS } from '../isolation/etc.ts'
import { isWithin } from '../isolation/paths.ts'
import { seccompFilter } from '../isolation/seccomp.ts'
import { markOwner, PREFIX, sweep } from './sweep.ts'

/**
 * The folders of a runner's processes: one each that goes with the process, and a compile cache for each user and
 * plugin, so that no user's process can leave code for another's.
 *
 * The first one made also removes what killed runners left there (`sweep.ts`).
 *
 * `own` and `cache` throw where the disk does not let them; what cannot be removed stays behind.
 */
export function openFolders(root: string | undefined, limits: Limits) {
  let base: string | undefined
  let swept: Promise<void> | undefined
  const closing = new AbortController()
  let count = 0
  const caches = new Map<string, string>()
  const make = (kind: string) => {
    if (!base) {
      const place = root ?? tmpdir()
      if (root) mkdirSync(root, { recursive: true })
      base = mkdtempSync(join(place, PREFIX))
      markOwner(base)
      swept ??= sweep(place, limits, closing.signal)
    }
    // Never the same name twice: the folder that had it may still be on its way out.
    const folder = join(base, `${kind}${++count}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  }
  const drop = (folder: string) => removeTree(folder).catch(() => {})

  let etc: string | undefined
  let filter: string | undefined

  return {
    own: () => make('p'),
    /** A folder for installs that nobody named one for: no plugin sees it, because it lies with those of the processes. */
    installs: () => make('i'),
    /** A folder beside that of a process, for the socket of its way out; it goes with it. */
    way(folder: string): string {
      const beside = `${folder}w`
      mkdirSync(beside, { mode: 0o700 })
      return beside
    },
    /**
     * What a process behind walls sees as `/etc`: who it is, and how libraries, names and times are found. Of `shown`, files
     * of the machine, those that lie there get an empty one each, over which they can be mounted.
     */
    etc(shown: readonly string[] = []): string {
      etc ??= fillEtc(make('e'))
      for (const path of shown) if (isWithin('/etc', path)) touch(join(etc, relative('/etc', path)), path)
      return etc
    },
    /** The filter of calls of the kernel, as a file; nothing on a machine for which there is none. */
    filter(): string | undefined {
      const bytes = seccompFilter()
      if (!bytes) return undefined
      filter ??= join(make('f'), 'filter')
      if (!existsSync(filter)) writeFileSync(filter, bytes)
      return filter
    },
    /** The folder of all of them. */
    root: () => base,
    /** The compile cache that goes by a key; the same folder until it is dropped. */
    cache(key: string): string {
      const folder = caches.get(key) ?? make('c')
      caches.set(key, folder)
      return folder
    },
    async drop(folder: string): Promise<void> {
      await Promise.all([drop(folder), drop(`${folder}w`)])
    },
    /** Removes what lies in a cache. The folder stays: a Node that is just starting would look for it without end. */
    async emptyCache(key: string): Promise<void> {
      const folder = caches.get(key)
      if (folder !== undefined) await emptyTree(folder).catch(() => {})
    },
    async dropCache(key: string): Promise<void> {
      const folder = caches.get(key)
      caches.delete(key)
      if (folder) await drop(folder)
    },
    async close(): Promise<void> {
      closing.abort()
      const folder = base
      base = undefined
      etc = undefined
      filter = undefined
      caches.clear()
      if (folder) await drop(folder)
      await swept
    },
  }
}

/** The names that each process has for its own loopback, as `/etc/hosts` has them. */
export const LOOPBACK_NAMES = '127.0.0.1 localhost\n::1 localhost\n'

const USER = process.getuid?.() ?? 0
const GROUP = process.getgid?.() ?? 0

function fillEtc(folder: string): string {
  copySettings(folder)
  // Where folders of the machine are mounted.
  for (const name of ETC_FOLDERS) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'passwd'), `plugin:x:${USER}:${GROUP}::${HOME}:/bin/sh\n`)
  writeFileSync(join(folder, 'group'), `plugin:x:${GROUP}:\n`)
  writeFileSync(join(folder, 'hosts'), LOOPBACK_NAMES)
  writeFileSync(join(folder, 'resolv.conf'), '')
  return folder
}

/** Makes what can be mounted over: a folder for a folder, else an empty file. */
function touch(file: string, shown: string): void {
  const isFolder = statSync(shown, { throwIfNoEntry: false })?.isDirectory() ?? false
  mkdirSync(isFolder ? file : dirname(file), { recursive: true })
  if (isFolder) return
  writeFileSync(file, '', { flag: 'a' })
}

/** See `openFolders`. */
export type Folders = ReturnType<typeof openFolders>

/** Where a process lives: a folder of its own, and the compile cache of its user and plugin where it shares one. */
export interface ProcessFolder {
  readonly folder: string
  readonly cache: string | undefined
}
