import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Floor, Room } from '../worker.ts'
import type { Cell } from './bubblewrap.ts'
import { type Started, viewOf } from './view.ts'

/** Whether a plugin reaches any host. */
export const hasHosts = ({ reach }: Pick<Started, 'reach'>): boolean => (reach?.hosts ?? []).length > 0

/** The cell of one process, or a sentence where something of it is not to be had. */
export function cellOf(
  started: Started,
  { folder, cache }: Room,
  { folders, hidden }: Pick<Floor, 'folders' | 'hidden'>,
  path: string | undefined,
): Cell | { readonly problem: string } {
  const missing = started.reach?.folders?.find(({ path }) => !isAbsolute(path) || !existsSync(path))
  if (missing) return { problem: `it reaches ${missing.path}, which is not on this machine` }
  if (!statSync(started.cwd, { throwIfNoEntry: false })?.isDirectory())
    return { problem: `it could not be started: there is no folder ${started.cwd}` }
  try {
    const view = viewOf(started, path)
    const egress = hasHosts(started) ? join(folders.way(folder), 'egress.sock') : undefined
    return {
      view,
      folder,
      cache,
      etc: folders.etc(),
      filter: folders.filter(),
      cwd: started.cwd,
      hidden: hidden(),
      egress,
    }
  } catch (error) {
    return {
      problem: `its walls could not be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
