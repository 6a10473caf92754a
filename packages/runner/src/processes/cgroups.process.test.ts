import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { afterEach, beforeEach, describe, expect, onTestFinished } from 'vitest'
import { isolators } from '../isolation/isolators.ts'
import { problemOf } from '../isolation/probes.ts'
import { openShares } from '../isolation/shares.ts'
import { asBuffer } from '../lines/line-text.ts'
import { silentLog } from '../port/log.ts'
import { cgroupProblem, openCgroups } from './cgroups.ts'
import { openChild } from './child.ts'
import { watchBounds } from './watch.ts'

const MIB = 1_048_576
let folder: string
beforeEach(({ skip }) => {
  const problem = cgroupProblem()
  skip(problem !== null, `cgroups may not be made here: ${problem}`)
  const walls = problemOf('bubblewrap', defaults.ISOLATION_PROBE_MS)
  skip(walls !== null, `bubblewrap: ${walls}; npm run tools`)
  folder = mkdtempSync(join(tmpdir(), 'svc-cgroups-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A runner whose plugins may take little. */
function open(tight: Partial<Limits> = {}) {
  const limits = { ...defaults, PLUGIN_MEMORY_MAX_BYTES: 32 * MIB, PLUGIN_WATCH_MS: 50, ...tight }
  const cgroups = openCgroups({ limits, log: silentLog, mark: randomUUID().replaceAll('-', '') })
  onTestFinished(() => cgroups.close())
  const shares = openShares(limits)
  return {
    cgroups,
    /** Starts a program of perl behind walls; `over` is what the runner says of it. */
    start(script: string, { userId = 'eve', isWatched = false } = {}) {
      const cgroup = cgroups.of(userId) ?? expect.fail('there is no cgroup')
      const said: string[] = []
      const child = openChild({
        program: '/usr/bin/perl',
        args: ['-e', `$| = 1; ${script}; print "done\n"; sleep 1000`],
        cwd: folder,
        env: {},
        mark: 'test',
        isolator: isolators.bubblewrap,
        cell: {
          view: { readable: [], writable: [] },
          reached: [],
          folder,
          cache: undefined,
          etc: undefined,
          filter: undefined,
          cwd: folder,
          installed: [],
          hidden: [],
          cgroup,
        },
        limits,
        onLine: (line) => void ('tooLong' in line || said.push(asBuffer(line).toString())),
        onStderr: (stderr) => stderr.resume(),
        onDeaf() {},
      })
      let over: string | undefined
      const end = (problem: string) => {
        over = problem
        void child.kill()
      }
      if (isWatched) watchBounds(child, [], { limits, share: shares.of(userId), cgroup }, end)
      const ended = child.ended.then(async (ending) => {
        await cgroup.close(10_000)
        return { ...ending, over: over ?? cgroup.problem() }
      })
      return { cgroup, child, ended, said }
    },
  }
}

describe('a plugin that may hold 32 MiB', () => {
  const floods = {
    'memory of its own in each of four': 'fork; fork; my @kept; push @kept, "x" x 1048576 for 1 .. 20',
    'memory that it shares': 'my $m = syscall(9, 0, 1 << 27, 3, 0x8021, -1, 0)',
    'memory that many share': 'fork; fork; syscall(9, 0, 1 << 25, 3, 0x8021, -1, 0)',
    'shared memory that it gave back, but that is mapped':
      'my $m = syscall(9, 0, 1 << 27, 3, 0x0021, -1, 0); for (my $o = 0; $o < 1 << 27; $o += 1 << 23) { syscall(14, 0, 0, 0, 0); syscall(28, $m + $o, 1 << 23, 23); syscall(28, $m + $o, 1 << 23, 4) }',
    'tables of pages':
      'my $m = syscall(9, 0, 1 << 36, 1, 0x4022, -1, 0); for (my $o = 0; $o < 1 << 36; $o += 1 << 21) { unpack("P1", pack("Q", $m + $o)) }',
    'files in memory':
      'for my $to ("/tmp/a", "/dev/shm/a") { open(my $f, ">", $to); print $f "x" x 1048576 for 1 .. 60 }',
    'files in memory without a name':
      'for my $to ("/tmp/a", "/dev/shm/a") { open(my $f, ">", $to); unlink $to; push @main::f, $f; print $f "x" x 1048576 for 1 .. 60 }',
    'what is in sockets between processes':
      'my @s; my $x = "x" x 65536; for (1 .. 400) { socketpair(my $a, my $b, 1, 1, 0) or last; push @s, $a, $b; for my $s ($a, $b) { fcntl($s, 4, 2048); 1 while syswrite $s, $x } }',
    'what is in sockets of datagrams':
      'my @s; my $x = "x" x 60000; for (1 .. 500) { socket(my $s, 2, 2, 0); bind($s, pack("Snx12", 2, 0)); my $n = getsockname $s; push @s, $s; fcntl($s, 4, 2048); send $s, $x, 0, $n for 1 .. 4 }',
    'what is in pipes':
      'my @p; my $x = "x" x 4096; for (1 .. 500) { pipe(my $r, my $w) or last; push @p, $r, $w; fcntl($w, 4, 2049); 1 while syswrite $w, $x } fork; fork; @p = (); for (1 .. 500) { pipe(my $r, my $w) or last; push @p, $r, $w; fcntl($w, 4, 2049); 1 while syswrite $w, $x }',
  }
  verifies.each('wall.plugin.cgroup')(Object.entries(floods))('is ended for %s', async (_name, script) => {
    const { start, cgroups } = open()
    const { ended, cgroup } = start(script, { isWatched: true })
    expect(await ended).toMatchObject({
      signal: 'SIGKILL',
      over: 'it holds more than 33554432 bytes of memory',
    })
    await cgroups.close()
    expect(existsSync(dirname(dirname(cgroup.path)))).toBe(false)
  })
})

describe('a plugin', () => {
  verifies('wall.plugin.cgroup', 'that forks without end is held by the kernel, and then ended', async () => {
    const { start } = open({ PLUGIN_THREADS_MAX: 24 })
    const { ended } = start('while (1) { fork; select undef, undef, undef, 0.01 }', { isWatched: true })
    expect(await ended).toMatchObject({ signal: 'SIGKILL', over: 'it has more than 24 threads' })
  })

  verifies('wall.plugin.cgroup', 'that lets others burn CPU for which nobody waits is ended', async () => {
    const { start } = open({ PLUGIN_CPU_MAX_S: 2 })
    const script =
      '$SIG{CHLD} = "IGNORE"; while (1) { if (!fork) { for (my $n = 0; $n < 100000; $n++) {} exit } select undef, undef, undef, 0.01 }'
    expect(await start(script, { isWatched: true }).ended).toMatchObject({
      signal: 'SIGKILL',
      over: 'it used more than 2 seconds of CPU',
    })
  })

  verifies('wall.plugin.cgroup', 'is killed with all that left its session', async () => {
    const { start } = open()
    const { cgroup, child, said, ended } = start(
      'for (1 .. 5) { if (!fork) { setpgrp; if (!fork) { sleep 1000 } exit } } sleep 1',
    )
    await expect.poll(() => said, { timeout: 60_000 }).toEqual(['done'])
    expect(cgroup.taken().threads).toBeGreaterThan(6)
    cgroup.kill()
    expect(await ended).toMatchObject({ signal: 'SIGKILL', over: undefined })
    expect(existsSync(cgroup.path)).toBe(false)
    await child.kill()
  })

  verifies('wall.plugin.cgroup', 'that is killed at some moment of its start leaves nothing', async () => {
    const { start } = open()
    for (let at = 0; at < 20; at++) {
      const { child, ended, cgroup } = start('1')
      for (let turn = 0; turn < at % 4; turn++) await new Promise(setImmediate)
      await child.kill()
      expect((await ended).signal).toBe('SIGKILL')
      expect(existsSync(cgroup.path)).toBe(false)
    }
  })
})

verifies('wall.plugin.cgroup', 'plugins of a user lose the largest where they take too much', async () => {
  const { start } = open({ PLUGIN_MEMORY_MAX_BYTES: 128 * MIB, USER_MEMORY_MAX_BYTES: 100 * MIB })
  const hold = (mib: number) => `my $m = syscall(9, 0, ${mib} << 20, 3, 0x8021, -1, 0)`
  const [other, small] = [start(hold(60), { userId: 'ada' }), start(hold(30))]
  await expect.poll(() => [...other.said, ...small.said], { timeout: 60_000 }).toEqual(['done', 'done'])
  const large = start(hold(80))
  expect((await large.ended).over).toMatch(/^all plugins of its user together have more than 104857600 bytes/)
  for (const { child, ended } of [other, small]) {
    await child.kill()
    expect((await ended).over).toBeUndefined()
  }
})

verifies('wall.plugin.cgroup', 'what a killed runner left is ended by the next', async () => {
  const { cgroups } = open()
  const { path } = cgroups.of('ada') ?? expect.fail('there is no cgroup')
  const top = dirname(dirname(path))
  const left = join(
    dirname(top),
    top
      .split('/')
      .at(-1)
      ?.replace(/^svc-\d+-\d+/, 'svc-4194305-1') ?? '',
  )
  for (const part of ['', 'u1', 'u1/p2']) mkdirSync(join(left, part))
  const script = 'echo 0 > "$0/cgroup.procs" && exec sleep 1000'
  const child = spawn('/bin/sh', ['-c', script, join(left, 'u1/p2')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const procs = join(left, 'u1/p2/cgroup.procs')
  await expect.poll(() => readFileSync(procs, 'utf8'), { timeout: 60_000 }).toBe(`${child.pid}\n`)
  open().cgroups.of('eve')
  expect(await ended).toEqual([null, 'SIGKILL'])
  open().cgroups.of('eve')
  expect(existsSync(left)).toBe(false)
})
