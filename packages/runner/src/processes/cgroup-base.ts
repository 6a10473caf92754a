import { spawnSync } from 'node:child_process'
import { basename, dirname, join, resolve } from 'node:path'
import { limits } from '@svc/contract/limits'
import type { CgroupFiles } from './cgroup-files.ts'

/** Where systems with cgroups of version 2 have them. */
const MOUNT = '/sys/fs/cgroup'
/** No process may be in a cgroup whose children have limits: those of the runner are in this child. */
const OWN = 'svc-runner'
const CONTROLLERS = ['cpu', 'memory', 'pids']
/** Processes may start others while they are moved. */
const MOVES_MAX = 10

/**
 * Returns the cgroup in which those of plugins may be made. Throws a sentence where there is none, or where it belongs to
 * others: only the cgroup of a container, one that systemd delegates, and one around a cgroup named `svc-runner` are taken.
 */
export function findBase(files: CgroupFiles, isDelegated = asksSystemd): string {
  const [, path = ''] = /^0::(\/.*)$/m.exec(files.read('/proc/self/cgroup')) ?? []
  const own = resolve(MOUNT, `.${path}`)
  const isThere = (name: string) => files.isThere(join(own, name))
  if (path === '' || !isThere('cgroup.controllers'))
    throw new Error('this machine has no cgroups of version 2')
  const has = files.read(join(own, 'cgroup.controllers')).trim().split(' ')
  const missing = CONTROLLERS.filter((name) => !has.includes(name))
  if (missing.length > 0) throw new Error(`the cgroup ${path} has no controller for ${missing.join(', ')}`)
  if (!isThere('cgroup.kill'))
    throw new Error(`the cgroup ${path} is that of the whole machine, or the kernel is older than 5.14`)
  const base = basename(path) === OWN ? dirname(own) : own
  if (base === own && path !== '/' && !isDelegated(path))
    throw new Error(`the cgroup ${path} is not delegated`)
  try {
    const trial = join(base, `svc-trial-${process.pid}`)
    files.make(trial)
    files.remove(trial)
  } catch (error) {
    throw new Error(`the cgroup ${base} may not be changed (${(error as NodeJS.ErrnoException).code})`)
  }
  return base
}

/** Moves all processes of a cgroup into its child for the runner, so that others in it may have limits; else throws. */
export function openBase(files: CgroupFiles, base: string): void {
  const own = join(base, OWN)
  if (!files.isThere(own)) files.make(own)
  for (let times = 0; times < MOVES_MAX; times++)
    for (const pid of files.read(join(base, 'cgroup.procs')).split('\n').filter(Boolean))
      move(files, pid, own)
  files.write(join(base, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '))
  // Node asks its own cgroup alone how much memory it may take.
  files.write(join(own, 'memory.max'), files.read(join(base, 'memory.max')))
}

function move(files: CgroupFiles, pid: string, to: string): void {
  try {
    files.write(join(to, 'cgroup.procs'), pid)
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Whether systemd leaves a cgroup to what runs in it. Root, and the user of a systemd of its own, may change also what it
 * does not: that has to be asked. Any other user may change nothing else.
 */
function asksSystemd(path: string): boolean {
  const isOfUser = path.includes('/user@')
  if (!isOfUser && process.getuid?.() !== 0) return true
  const args = ['show', '--property=Delegate', '--value', '--', basename(path)]
  const { stdout } = spawnSync('systemctl', [...(isOfUser ? ['--user'] : []), ...args], {
    encoding: 'utf8',
    timeout: limits.ISOLATION_PROBE_MS,
  })
  return stdout?.trim() === 'yes'
}
