import { dirname } from 'node:path'
import type { CgroupFiles } from '../processes/cgroup-files.ts'

const ALWAYS = {
  'cgroup.controllers': 'cpu io memory pids\n',
  'cgroup.subtree_control': '',
  'cgroup.procs': '',
  'cgroup.kill': '',
}
const OF_CONTROLLERS = {
  'cpu.stat': 'usage_usec 0\nuser_usec 0\n',
  'memory.current': '0\n',
  'memory.events': 'low 0\noom 0\noom_kill 0\noom_group_kill 0\n',
  'memory.events.local': 'low 0\noom 0\noom_kill 0\noom_group_kill 0\n',
  'memory.max': 'max\n',
  'memory.oom.group': '0\n',
  'memory.stat': 'anon 0\nfile 0\nshmem 0\nslab_reclaimable 0\n',
  'memory.swap.max': 'max\n',
  'pids.current': '0\n',
  'pids.max': 'max\n',
}
const ROOT = '/sys/fs/cgroup'

/** Makes an error as the kernel gives it. */
export const errno = (code: string): Error => Object.assign(new Error(code), { code })

/**
 * Cgroups without a kernel, with those of its rules that the runner relies on. `files` has them all; a test says what is in
 * one. In `own`, the cgroup of the runner, is process 1.
 */
export function fakeCgroups(own = '/svc/svc-runner') {
  const files = new Map([['/proc/self/cgroup', `0::${own}\n`]])
  const isThere = (path: string) => files.has(path) || namesIn(path).length > 0
  const namesIn = (path: string) => {
    const inside = [...files.keys()].filter((file) => file.startsWith(`${path}/`))
    return [...new Set(inside.map((file) => file.slice(path.length + 1).split('/')[0] ?? ''))]
  }
  const foldersIn = (path: string) =>
    namesIn(path).flatMap((name) => (files.has(`${path}/${name}`) ? [] : [`${path}/${name}`]))
  const read = (path: string) => {
    const text = files.get(path)
    if (text === undefined) throw errno('ENOENT')
    return text
  }
  const fill = (path: string, texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) files.set(`${path}/${name}`, text)
  }
  const kill = (path: string) => {
    files.set(`${path}/cgroup.procs`, '')
    for (const folder of foldersIn(path)) kill(folder)
  }
  function move(pid: string, to: string): void {
    for (const [path, text] of files)
      if (path.endsWith('/cgroup.procs')) files.set(path, text.replace(`${pid}\n`, ''))
    files.set(to, `${read(to)}${pid}\n`)
  }

  const at = own === '/' ? ROOT : `${ROOT}${own}`
  for (let path = at; path.length >= ROOT.length; path = dirname(path)) {
    fill(path, ALWAYS)
    fill(path, OF_CONTROLLERS)
  }
  files.set(`${at}/cgroup.procs`, '1\n')

  const port: CgroupFiles = {
    isThere,
    read,
    list: namesIn,
    make(path) {
      if (isThere(path)) throw errno('EEXIST')
      const hasControllers = read(`${dirname(path)}/cgroup.subtree_control`) !== ''
      fill(path, ALWAYS)
      if (hasControllers) fill(path, OF_CONTROLLERS)
    },
    write(path, text) {
      read(path)
      const folder = dirname(path)
      if (path === `${folder}/cgroup.kill`) return kill(folder)
      if (path === `${folder}/cgroup.procs`) return move(text, path)
      if (path === `${folder}/cgroup.subtree_control`) {
        if (read(`${folder}/cgroup.procs`) !== '') throw errno('EBUSY')
        for (const child of foldersIn(folder))
          if (!isThere(`${child}/memory.max`)) fill(child, OF_CONTROLLERS)
      }
      files.set(path, text)
    },
    remove(path) {
      if (!isThere(path)) return true
      if (foldersIn(path).length > 0 || read(`${path}/cgroup.procs`) !== '') return false
      for (const name of namesIn(path)) files.delete(`${path}/${name}`)
      return true
    },
  }
  return { files, port, foldersIn }
}
