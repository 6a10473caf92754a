import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { CgroupFiles } from './cgroup-files.ts'
import { ownerOf } from './sweep.ts'

/** Whose it is: a number of a process, which says nothing in another namespace, and since when that has it. */
const NAME = /^svc-(\d+)-(\d+)-(\d+)-\w+$/
const namespace = () => readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')

/** Returns the name of the cgroup in which a runner of this process makes those of its plugins. */
export const nameOf = (mark: string): string =>
  `svc-${process.pid}-${ownerOf(process.pid)?.started}-${namespace()}-${mark}`

/** Ends and removes what killed runners have left in a cgroup. What the kernel still ends is for the next start. */
export function sweepCgroups(files: CgroupFiles, base: string): void {
  for (const name of files.list(base)) {
    const [, pid, started, space] = NAME.exec(name) ?? []
    if (pid === undefined || space !== namespace() || ownerOf(Number(pid))?.started === started) continue
    const path = join(base, name)
    files.write(join(path, 'cgroup.kill'), '1')
    removeCgroup(files, path)
  }
}

/** Removes a cgroup with those of users and processes in it, as far as nothing runs there. */
export function removeCgroup(files: CgroupFiles, path: string): void {
  for (const name of files.list(path)) if (/^[up]\d+$/.test(name)) removeCgroup(files, join(path, name))
  files.remove(path)
}
