import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isDataPath, type ReachedFolder } from '@svc/contract/reach'
import { type Cell, WHOLE } from '../isolation/bubblewrap.ts'
import { listenersOf } from '../isolation/forwarder.ts'
import { isWithin, linkAt } from '../isolation/paths.ts'
import { type ProcessStart, viewOf } from '../isolation/view.ts'
import { type Folders, LOOPBACK_NAMES, type ProcessFolder } from './folders.ts'

/** Whether a plugin reaches any host or server. */
export const hasWay = ({ reach }: Pick<ProcessStart, 'reach'>): boolean =>
  (reach?.hosts ?? []).length + (reach?.tcp ?? []).length > 0

/** The cell of one process, or a sentence where something of it is not to be had. */
export function cellOf(
  started: ProcessStart,
  { folder, cache }: ProcessFolder,
  { folders, hidden }: { readonly folders: Folders; readonly hidden: () => readonly string[] },
  path: string | undefined,
): Cell | { readonly problem: string } {
  const missing = started.reach?.folders?.find(({ path }) => !isAbsolute(path) || !existsSync(path))
  if (missing) return { problem: `it reaches ${missing.path}, which is not on this machine` }
  if (!statSync(started.cwd, { throwIfNoEntry: false })?.isDirectory())
    return { problem: `it could not be started: there is no folder ${started.cwd}` }
  try {
    const own = hidden().map(placeOf)
    const reached = (started.reach?.folders ?? []).map((one) => ({ ...one, ...placedAt(one.path) }))
    const problem = reached.flatMap((one) => problemOf(one, own)).at(0)
    if (problem !== undefined) return { problem }
    const view = viewOf(started, path)
    const way = hasWay(started) ? folders.way(folder) : undefined
    const { listeners, hosts } = listenersOf(started.reach?.tcp)
    return {
      view,
      reached,
      folder,
      cache,
      etc: folders.etc(view.readable),
      filter: folders.filter(),
      cwd: started.cwd,
      installed: started.files ?? [],
      hidden: hiddenIn([...WHOLE, ...view.readable, ...view.writable], own),
      egress: way && join(way, 'egress.sock'),
      ...(way !== undefined && listeners.length > 0 && { listeners, hosts: hostsFile(way, hosts) }),
    }
  } catch (error) {
    return {
      problem: `its isolation could not be set up: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

/** What a process sees as `/etc/hosts`, with the servers of its reach. */
function hostsFile(way: string, servers: string): string {
  const file = join(way, 'hosts')
  writeFileSync(file, LOOPBACK_NAMES + servers)
  return file
}

/** Opens what is there, a folder or a link to one, without a right to read it. Node has no name for this flag of Linux. */
const O_PATH = 0o10000000

/** Where a path leads to, and what is there now: asked of one open file, which nobody can put another in place of. */
function placedAt(path: string): { readonly real: string; readonly identity: string } {
  const fd = openSync(path, O_PATH)
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true })
    return { real: readlinkSync(`/proc/self/fd/${fd}`), identity: `${dev}:${ino}` }
  } finally {
    closeSync(fd)
  }
}

/**
 * What keeps a folder from being shown, by its real path. Who may write above a folder of svc could give it another name,
 * under which nothing hides it; who may write beside a link could have it lead elsewhere.
 */
function problemOf(
  { path, access, real }: ReachedFolder & { readonly real: string },
  own: readonly string[],
): readonly string[] {
  if (!isDataPath(real)) return [`it reaches ${path}, which is ${real}, a folder of the system`]
  if (own.some((outer) => isWithin(outer, real))) return [`it reaches ${path}, which belongs to svc`]
  if (access === 'write' && own.some((inner) => isWithin(real, inner)))
    return [`it may write ${path}, which contains folders of svc`]
  return resolve(path) === real ? [] : [`it reaches ${path} over a link: name ${real}, where that leads`]
}

/**
 * Where in some folders others lie, by their real paths: what is shown over a link, or written in another way, is the
 * same folder. One that is not there yet is made: nothing could be laid over it later.
 */
function hiddenIn(open: readonly string[], own: readonly string[]): readonly string[] {
  const places = open.flatMap((path) =>
    realOf(path).flatMap((real) =>
      own
        .filter((inner) => isWithin(real, inner))
        .map((inner) => {
          mkdirSync(inner, { recursive: true, mode: 0o700 })
          return join(path, relative(real, inner))
        }),
    ),
  )
  return [...new Set(places)]
}

/** The path of a folder without links, as far as it is there. Throws where it is a link to what is not. */
function placeOf(path: string): string {
  const [real] = realOf(path)
  if (real !== undefined) return real
  if (linkAt(path) !== undefined) throw new Error(`${path} is a link without a target`)
  return join(placeOf(dirname(path)), basename(path))
}

/** The path of a file without links; none where it is not there. */
function realOf(path: string): readonly string[] {
  try {
    return [realpathSync.native(path)]
  } catch {
    return []
  }
}
