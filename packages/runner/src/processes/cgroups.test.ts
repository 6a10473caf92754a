import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract/limits'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../port/log.ts'
import { errno, fakeCgroups } from '../testing/fake-cgroups.ts'
import { openCgroups } from './cgroups.ts'

const BASE = '/sys/fs/cgroup/svc'
const limits = {
  ...defaults,
  PLUGIN_MEMORY_MAX_BYTES: 100,
  USER_MEMORY_MAX_BYTES: 300,
  PLUGIN_THREADS_MAX: 8,
}
/** Nothing that lives has it. */
const GONE = '4194305-1'
const OOM = 'oom 1\noom_kill 3\n'

function open(fake = fakeCgroups(), mark = 'mark') {
  const told: object[] = []
  const log = { ...silentLog, info: (fields: object) => void told.push(fields) }
  const cgroups = openCgroups({ limits, log, mark, files: fake.port })
  /** The cgroup of one more process, whose number is given, and the two around it. */
  const start = (userId: string, pid = '7') => {
    const cgroup = cgroups.of(userId)
    if (cgroup === undefined) return expect.fail(JSON.stringify(told))
    fake.port.write(`${cgroup.path}/cgroup.procs`, pid)
    const [user = '', all = ''] = [/^.*(?=\/p)/, /^.*(?=\/u)/].map(
      (path) => path.exec(cgroup.path)?.[0] ?? '',
    )
    return { cgroup, user, all }
  }
  return { ...fake, told, cgroups, start }
}

describe('cgroups of plugin processes', () => {
  verifies('wall.plugin.cgroup', 'have the limits of a process, of its user, and of all', () => {
    const { start, port, told } = open()
    const { cgroup, user, all } = start('ada')
    const read = (name: string) => port.read(`${cgroup.path}/${name}`)
    expect(['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'].map(read)).toEqual([
      '107',
      '0',
      '1',
      '10',
    ])
    expect(port.read(`${user}/memory.max`)).toBe('319')
    expect(Number(port.read(`${all}/memory.max`))).toBeGreaterThan(0)
    expect(told).toEqual([{ event: 'plugin_limits', by: 'cgroups' }])
  })

  verifies('wall.plugin.cgroup', 'are of one user each, and go with their last process', async () => {
    const { start, foldersIn, cgroups } = open()
    const [ada, eve, next] = [start('ada', '7'), start('eve', '8'), start('ada', '9')]
    expect([eve.user === ada.user, next.user === ada.user]).toEqual([false, true])
    await ada.cgroup.close(0)
    expect(foldersIn(ada.user)).toEqual([next.cgroup.path])
    await next.cgroup.close(0)
    expect(foldersIn(ada.all)).toEqual([eve.user])
    expect(start('ada').user).not.toBe(ada.user)
    eve.cgroup.kill()
    await eve.cgroup.close(0)
    eve.cgroup.kill()
    await cgroups.close()
    expect(cgroups.of('ada')).toBeUndefined()
  })

  verifies('wall.plugin.cgroup', 'are all gone once the runner has closed', async () => {
    const { start, foldersIn, cgroups } = open()
    const { cgroup } = start('ada')
    void cgroup.close(0)
    await cgroups.close()
    expect(foldersIn(BASE)).toEqual([`${BASE}/svc-runner`])
  })

  verifies('wall.plugin.cgroup', 'of runners that were killed are ended and removed, and no others', () => {
    const fake = fakeCgroups()
    const living = open(fake).start('ada').all
    const space = living.split('-').at(-2)
    for (const name of [`svc-${GONE}-${space}-a`, `svc-${GONE}-1-b`, 'svc-other']) {
      fake.port.make(`${BASE}/${name}`)
      fake.port.make(`${BASE}/${name}/u1`)
      fake.port.make(`${BASE}/${name}/u1/p2`)
      fake.port.write(`${BASE}/${name}/u1/p2/cgroup.procs`, name)
    }
    const { all } = open(fake, 'next').start('ada')
    expect(fake.foldersIn(BASE)).toEqual(
      expect.arrayContaining([`${BASE}/svc-${GONE}-1-b`, `${BASE}/svc-other`, living, all]),
    )
    expect(fake.foldersIn(BASE)).not.toContain(`${BASE}/svc-${GONE}-${space}-a`)
  })

  verifies('wall.plugin.cgroup', 'say what is taken, without what the kernel gives back', () => {
    const { start, files } = open()
    const { cgroup } = start('ada')
    const put = (name: string, text: string) => files.set(`${cgroup.path}/${name}`, text)
    put('memory.current', '1000\n')
    put('memory.stat', 'anon 300\nfile 500\nkernel 150\nshmem 100\nslab_reclaimable 50\n')
    put('pids.current', '12\n')
    put('cpu.stat', 'usage_usec 2500000\nuser_usec 1\n')
    expect(cgroup.taken()).toEqual({ bytes: 550, threads: 11, ticks: 250 })
  })

  verifies.each('wall.plugin.cgroup')<[string, 'process' | 'user' | 'all' | 'nobody', string | RegExp]>([
    ['itself', 'process', 'it holds more than 100 bytes of memory'],
    [
      'all plugins of its user',
      'user',
      'all plugins of its user together have more than 300 bytes of memory, and this one has the most',
    ],
    ['all plugins', 'all', /^all plugins of this machine together have more than \d+ bytes of memory, and/],
    ['something else', 'nobody', 'the machine had no memory left'],
  ])('say that the kernel ended a process for memory of %s', async (_name, whose, says) => {
    const { start, files } = open()
    const { cgroup, user, all } = start('ada')
    expect(cgroup.problem()).toBeUndefined()
    files.set(`${cgroup.path}/memory.events`, OOM)
    const over = { process: cgroup.path, user, all, nobody: '' }[whose]
    files.set(`${over}/memory.events.local`, OOM)
    await cgroup.close(0)
    expect(cgroup.problem()).toMatch(says)
  })

  verifies('wall.plugin.cgroup', 'are none on a machine without them, whose log says why', () => {
    const fake = fakeCgroups()
    fake.files.set('/proc/self/cgroup', '1:cpu:/\n')
    const { cgroups, told } = open(fake)
    expect([cgroups.of('ada'), cgroups.of('ada')]).toEqual([undefined, undefined])
    expect(told).toEqual([
      { event: 'plugin_limits', by: 'counting', problem: 'this machine has no cgroups of version 2' },
    ])
  })

  it('are none where the kernel takes no limit', () => {
    const { port, start, cgroups, foldersIn } = open()
    const { user, cgroup } = start('ada')
    const write = port.write
    port.write = (path, text) => {
      if (path.endsWith('/pids.max')) throw errno('EINVAL')
      write(path, text)
    }
    expect(() => cgroups.of('ada')).toThrow('EINVAL')
    expect(foldersIn(user)).toEqual([cgroup.path])
  })
})
