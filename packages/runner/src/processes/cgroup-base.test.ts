import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { errno, fakeCgroups } from '../testing/fake-cgroups.ts'
import { findBase, openBase } from './cgroup-base.ts'

type Fake = ReturnType<typeof fakeCgroups>
const never = () => expect.fail('systemd is asked')
const MOUNT = '/sys/fs/cgroup'

describe('the cgroup in which those of plugins are made', () => {
  verifies.each('wall.plugin.cgroup')([
    ['a container has, as it sees it', '/', MOUNT, never],
    ['is around the one for the runner', '/svc/svc-runner', `${MOUNT}/svc`, never],
    [
      'systemd delegates',
      '/system.slice/svc.service',
      `${MOUNT}/system.slice/svc.service`,
      (path: string) => path === '/system.slice/svc.service',
    ],
  ] as const)('is the one that %s', (_name, own, base, isDelegated) => {
    const { port, files } = fakeCgroups(own)
    expect(findBase(port, isDelegated)).toBe(base)
    files.set(`${base}/memory.max`, '4096\n')
    openBase(port, base)
    expect(port.read(`${base}/cgroup.procs`)).toBe('')
    expect(port.read(`${base}/svc-runner/cgroup.procs`)).toBe('1\n')
    expect(port.read(`${base}/svc-runner/memory.max`)).toBe('4096\n')
    expect(port.read(`${base}/cgroup.subtree_control`)).toBe('+cpu +memory +pids')
  })

  verifies.each('wall.plugin.cgroup')<[string, string, (fake: Fake) => void, string]>([
    [
      'the machine has version 1',
      '/svc/svc-runner',
      ({ files }) => files.set('/proc/self/cgroup', '5:memory:/\n4:pids:/\n'),
      'this machine has no cgroups of version 2',
    ],
    [
      'the machine has version 1 and an empty version 2',
      '/',
      ({ files }) => {
        for (const path of files.keys()) if (path.startsWith(MOUNT)) files.delete(path)
      },
      'this machine has no cgroups of version 2',
    ],
    [
      'some controllers are missing',
      '/svc/svc-runner',
      ({ files }) => files.set(`${MOUNT}/svc/svc-runner/cgroup.controllers`, 'cpuset memory\n'),
      'the cgroup /svc/svc-runner has no controller for cpu, pids',
    ],
    [
      'it is the root of the machine',
      '/',
      ({ files }) => files.delete(`${MOUNT}/cgroup.kill`),
      'the cgroup / is that of the whole machine, or the kernel is older than 5.14',
    ],
    [
      'it is of somebody else',
      '/user.slice/session-1.scope',
      () => {},
      'the cgroup /user.slice/session-1.scope is not delegated',
    ],
    [
      'nothing may be made in it',
      '/',
      ({ port }) => {
        port.make = () => {
          throw errno('EROFS')
        }
      },
      'the cgroup /sys/fs/cgroup may not be changed (EROFS)',
    ],
  ])('is not there where %s', (_name, own, change, problem) => {
    const fake = fakeCgroups(own)
    change(fake)
    expect(() => findBase(fake.port, () => false)).toThrow(problem)
  })

  verifies('wall.plugin.cgroup', 'is left by processes that come and go meanwhile', () => {
    const { files, port } = fakeCgroups('/')
    const moved: string[] = []
    const write = port.write
    port.write = (path, text) => {
      if (!path.endsWith('.procs')) return write(path, text)
      moved.push(text)
      // One has ended, another has started one.
      if (text === '2') files.set(`${MOUNT}/cgroup.procs`, '')
      if (text === '2') throw errno('ESRCH')
      write(path, text)
      if (text === '1') files.set(`${MOUNT}/cgroup.procs`, '2\n')
    }
    openBase(port, findBase(port, never))
    expect(moved).toEqual(['1', '2'])
    expect(port.read(`${MOUNT}/svc-runner/cgroup.procs`)).toBe('1\n')
  })

  verifies('wall.plugin.cgroup', 'is not opened where a process may not be moved', () => {
    const { port } = fakeCgroups('/')
    const base = findBase(port, never)
    port.write = () => {
      throw errno('EACCES')
    }
    expect(() => openBase(port, base)).toThrow('EACCES')
  })
})
