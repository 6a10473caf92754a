import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { ETC_FOLDERS, ETC_HIDDEN } from './etc.ts'
import type { Listener } from './forwarder.ts'
import { isWithin } from './paths.ts'
import type { View } from './view.ts'

/** Where a process lives inside its walls. */
export interface Cell {
  readonly view: View
  /** The folders of its reach, and what each was when it was judged: nothing else may be mounted there. */
  readonly reached: readonly { readonly path: string; readonly identity: string }[]
  /** Its own folder, at the same path inside and outside, so that a file which it names is found by the runner. */
  readonly folder: string
  /** Its compile cache. */
  readonly cache: string | undefined
  /** The filter of calls of the kernel, as a file. */
  readonly filter: string | undefined
  /** The few files of `/etc` that programs need. */
  readonly etc: string | undefined
  readonly cwd: string
  /** Folders that were installed for it; they are shown even in one that is hidden. */
  readonly installed: readonly string[]
  /** Where folders of svc would show in a wider one; they are empty there. */
  readonly hidden: readonly string[]
  /** A socket by which it reaches the hosts that it may reach. */
  readonly egress?: string | undefined
  /** Where it finds the servers of its reach on its own loopback; none where left out. */
  readonly listeners?: readonly Listener[]
  /** Its `/etc/hosts`, as a file; the common one where left out. */
  readonly hosts?: string | undefined
  /** The cgroup that holds it to its limits, where the runner may make some. */
  readonly cgroup?: { readonly path: string; kill(): void } | undefined
}

/** The descriptor by which bubblewrap reads it. */
export const FILTER = 6

/** An empty folder of its own, gone with the process. */
export const HOME = '/tmp/home'
/** Where the way out is bound. */
export const EGRESS = '/run/svc-egress.sock'

/** The system: links stay links, as on a machine whose `/bin` is `/usr/bin`. */
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What each process sees whole. */
export const WHOLE = ['/usr', '/nix/store', '/gnu/store']
/** What programs of the system made ahead, so that they need not make it again at each start. */
const MADE_AHEAD = ['/var/lib/gems', '/var/cache/fontconfig']
/** What people keep secrets in beside their code. */
const SECRETS = ['.env', '.env.local', '.npmrc', '.git']

const system = SYSTEM.flatMap((path) => {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
})
const whole = WHOLE.flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : []))

/**
 * The words before a command that put it behind walls: namespaces of its own for processes, network, IPC, names and
 * users, no capability, a /proc of its own that cannot be written to, a read-only system, and of the rest what its cell
 * says. Node made it the leader of a session without a terminal already, so that it needs no other one; and because the
 * whole of it stays in that process group until its walls are up, a kill in that moment misses nothing.
 */
export function bubblewrap(cell: Cell, limits: Limits, { noNestedUsers = true } = {}): readonly string[] {
  const { view, folder, cache, cwd, etc, egress, filter, hidden, hosts, installed } = cell
  const uncovered = new Set([...installed, ...view.readable])
  return [
    'bwrap',
    '--unshare-all',
    '--unshare-user',
    ...(noNestedUsers ? ['--disable-userns'] : []),
    ...(filter === undefined ? [] : ['--seccomp', String(FILTER)]),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--hostname',
    'plugin',
    ...whole,
    ...system,
    ...(etc === undefined ? [] : ['--ro-bind', etc, '/etc']),
    ...ETC_FOLDERS.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...ETC_HIDDEN.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...MADE_AHEAD.flatMap((path) => ['--ro-bind-try', path, path]),
    ...(hosts === undefined ? [] : ['--ro-bind', hosts, '/etc/hosts']),
    // A file of /proc may be written to by root without any capability.
    '--proc',
    '/proc',
    '--remount-ro',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(limits.PLUGIN_SHARED_MEMORY_MAX_BYTES),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--size',
    String(limits.PLUGIN_TMP_MAX_BYTES),
    '--tmpfs',
    '/tmp',
    '--dir',
    HOME,
    ...view.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...(view.links ?? []).flatMap(({ path, to }) => ['--symlink', to, path]),
    ...view.readable.flatMap(secretsIn),
    ...view.writable.flatMap((path) => ['--bind', path, path]),
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...[...uncovered]
      .filter((path) => hidden.some((outer) => isWithin(outer, path)))
      .flatMap((path) => ['--ro-bind', path, path]),
    '--bind',
    folder,
    folder,
    ...(cache === undefined ? [] : ['--bind', cache, cache]),
    ...(egress === undefined ? [] : ['--ro-bind', egress, EGRESS]),
    ...hidden.flatMap((path) => ['--remount-ro', path]),
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
    '--',
  ]
}

function secretsIn(folder: string): readonly string[] {
  return SECRETS.flatMap((name) => {
    const path = join(folder, name)
    if (!existsSync(path)) return []
    return lstatSync(path).isDirectory()
      ? ['--tmpfs', path, '--remount-ro', path]
      : ['--ro-bind', '/dev/null', path]
  })
}
