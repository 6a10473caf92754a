import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { type Attack, own } from './attack-tools.ts'

const sparse = (path: string) => {
  fs.writeFileSync(path, '')
  return path
}

const waits = () => new Promise(() => setInterval(() => {}, 1_000))
/** Starts so many programs of perl that hold what they take. */
const hold = (script: string, times = 1) => {
  for (let one = 0; one < times; one++) spawn('perl', ['-e', `${script}; sleep 1000`], { stdio: 'ignore' })
  return waits()
}
/** Opens a file of 64 MiB, which has no name from then on. */
const unlinked = (at: number) => {
  const file = fs.openSync(`${own}/gone${at}`, 'w+')
  fs.ftruncateSync(file, 67_108_864)
  fs.unlinkSync(`${own}/gone${at}`)
  return file
}

/**
 * Those that take more memory than 768 MiB, more room on disk than 256 MiB, or more of something else than a plugin may,
 * each in a way that others do not count.
 */
export const stealthyFloods: Readonly<Record<string, readonly [attack: Attack, says: RegExp]>> = {
  'fills its compile cache': [
    () => {
      const cache = process.env.NODE_COMPILE_CACHE ?? ''
      for (let at = 0; at < 6; at++) fs.truncateSync(sparse(`${cache}/${at}`), 67_108_864)
      return waits()
    },
    /folder holds more than/,
  ],
  'holds memory that it shares with nobody but could': [
    () => hold('syscall(9, 0, 1 << 30, 3, 0x8021, -1, 0)'),
    /bytes of memory/,
  ],
  'has others hold a part of shared memory each': [
    () => hold('syscall(9, 0, 201326592, 3, 0x8021, -1, 0)', 6),
    /bytes of memory/,
  ],
  'has the kernel keep tables of pages': [
    () =>
      hold(
        'for my $m (1 .. 8) { my $a = syscall(9, 0, 1 << 36, 1, 0x4022, -1, 0); for (my $o = 0; $o < 1 << 36; $o += 1 << 21) { unpack("P1", pack("Q", $a + $o)) } }',
      ),
    /bytes of memory/,
  ],
  'fills sockets between its processes': [
    () =>
      hold(
        'my @s; my $x = "x" x 65536; for (1 .. 400) { socketpair(my $a, my $b, 1, 1, 0) or last; push @s, $a, $b; for my $s ($a, $b) { fcntl($s, 4, 2048); 1 while syswrite $s, $x } }',
        6,
      ),
    /bytes of memory|sockets/,
  ],
  'fills sockets of datagrams': [
    () =>
      hold(
        'my @s; my $x = "x" x 60000; for (1 .. 900) { socket(my $s, 2, 2, 0); setsockopt($s, 1, 8, 212992); bind($s, pack("Snx12", 2, 0)); my $n = getsockname $s; push @s, $s; fcntl($s, 4, 2048); for (1 .. 8) { send $s, $x, 0, $n } }',
        3,
      ),
    /bytes of memory|sockets/,
  ],
  'fills pipes': [
    () =>
      hold(
        'my @p; my $x = "x" x 4096; for (1 .. 500) { pipe(my $r, my $w) or last; push @p, $r, $w; fcntl($w, 4, 2049); 1 while syswrite $w, $x }',
        26,
      ),
    /bytes of memory|open files/,
  ],
  'holds files that have no name': [
    () => {
      for (let at = 0; at < 6; at++) unlinked(at)
      return waits()
    },
    /folder holds more than/,
  ],
  'has others hold files that have no name': [
    () =>
      hold(
        'open(my $f, "+>", "$ENV{TMPDIR}/$$"); truncate $f, 67108864; unlink "$ENV{TMPDIR}/$$"; $main::f = $f',
        6,
      ),
    /folder holds more than/,
  ],
  'maps files that have no name and are closed': [
    () =>
      hold(
        'for my $n (1 .. 6) { open(my $f, "+>", "$ENV{TMPDIR}/m$n"); truncate $f, 67108864; syscall(9, 0, 67108864, 3, 1, fileno $f, 0); unlink "$ENV{TMPDIR}/m$n" }',
      ),
    /folder holds more than/,
  ],
  'has many threads': [
    () => {
      // Each has seven or more.
      for (let one = 0; one < 12; one++)
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      return waits()
    },
    /more than 64 threads/,
  ],
  'has the kernel watch one file in many ways': [
    () =>
      hold(
        'pipe(my $r, my $w); my @e = map { syscall(291, 0) } 1 .. 20; my $v = pack("LQ", 1, 0); for my $n (100 .. 999) { syscall(33, fileno $r, $n); syscall(233, $_, 1, $n, $v) for @e }',
      ),
    /more than 16384 watches and locks/,
  ],
  'has the kernel keep many locks': [
    () =>
      hold(
        'for my $n (1 .. 20) { open(my $f, "+>", "$ENV{TMPDIR}/lock$n"); push @main::f, $f; for (my $o = 4000; $o > 0; $o -= 4) { fcntl($f, 6, pack("ssx4qqlx4", 1, 0, $o, 1, 0)) } }',
      ),
    /more than 16384 watches and locks/,
  ],
  'takes all watchers of files that a user has': [
    () => hold('syscall(294, 0) for 1 .. 100'),
    /more than 16 watchers of files/,
  ],
  'maps one file in very many places': [
    () =>
      hold(
        'open(my $f, "+>", "$ENV{TMPDIR}/m$$"); truncate $f, 4096; unlink "$ENV{TMPDIR}/m$$"; syscall(9, 0, 4096, 1 + 2 * ($_ & 1), 1, fileno $f, 0) for 1 .. 65000',
        4,
      ),
    /map have more than 16777216 bytes/,
  ],
  'keeps files without a name on the way': [
    () =>
      hold(
        'socketpair(my $a, my $b, 1, 1, 0); @main::s = ($a, $b); for my $n (1 .. 20) { open(my $f, "+>", "$ENV{TMPDIR}/s$n"); truncate $f, 67108864; unlink "$ENV{TMPDIR}/s$n"; my $x = "x"; my $i = pack("PQ", $x, 1); my $c = pack("QllLx4", 20, 1, 1, fileno $f); my $m = pack("QLx4PQPQLx4", 0, 0, $i, 1, $c, 24, 0); syscall(46, fileno $a, $m, 0) }',
      ),
    /open file that it sent was not taken/,
  ],
  'fills the memory of /tmp with empty files': [
    () => hold('for my $n (1 .. 40000) { symlink "x", "/tmp/$n"; symlink "x", "/dev/shm/$n" }'),
    /holds more than 50000 files/,
  ],
  'puts files deeper than a path may be long': [
    () => hold('chdir $ENV{TMPDIR}; for (1 .. 30) { my $d = "d" x 200; mkdir $d; chdir $d }'),
    /cannot be looked at \(ENAMETOOLONG\)/,
  ],
  'opens more files than it may': [
    () => hold('my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f }', 20),
    /open files/,
  ],
}

/** Those that end their process, by the runner or by the kernel. */
export const floods: Readonly<Record<string, Attack>> = {
  'has others fill memory': () => {
    const script = 'const kept = []; for (;;) kept.push(Buffer.alloc(33554432, 1))'
    for (let one = 0; one < 3; one++) spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    return new Promise(() => setInterval(() => {}, 1_000))
  },
  'holds memory as long as it may': () => {
    const held = Buffer.alloc(268_435_456, 1)
    return new Promise(() => setInterval(() => held.fill(2), 1_000))
  },
  'has others burn CPU': () => {
    for (let one = 0; one < 8; one++) spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    return new Promise(() => setInterval(() => {}, 1_000))
  },
  'forks without end': () => {
    for (let one = 0; one < 400; one++) spawn('sleep', ['1000'], { stdio: 'ignore' })
    return new Promise(() => setInterval(() => {}, 1_000))
  },
  'fills its folder': () => {
    for (let one = 0; one < 4; one++) fs.truncateSync(sparse(`${own}/${one}`), 900_000_000)
    return new Promise(() => setInterval(() => {}, 1_000))
  },
  'fills its folder with files': () => {
    for (let one = 0; one < 60_000; one++) fs.closeSync(fs.openSync(`${own}/f${one}`, 'w'))
    return new Promise(() => setInterval(() => {}, 1_000))
  },
}
