import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { seccompFilter } from './seccomp.ts'

/** Written by hand from the headers of Linux: what fails, by its number on each kind of machine. */
const failing: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  io_uring_setup: [425, 425],
  io_setup: [206, 0],
  seccomp: [317, 277],
  kexec_load: [246, 104],
  init_module: [175, 105],
  finit_module: [313, 273],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  open_by_handle_at: [304, 265],
  acct: [163, 89],
  swapon: [167, 224],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  fanotify_init: [300, 262],
  vmsplice: [278, 75],
  clone3: [435, 435],
  close_range: [436, 436],
}
/** What opens a socket, and the families that are allowed: UNIX, INET, INET6, NETLINK. */
const sockets = { socket: [41, 198], socketpair: [53, 199] } as const
const FAMILIES = [1, 2, 10, 16]
const X64 = 0xc000003e
const ARM64 = 0xc00000b7
const I386 = 0x40000003
const LET_THROUGH = 0x7fff0000
/** The call fails with ENOSYS. */
const NO_SUCH_CALL = 0x00050026
/** The call fails with EAFNOSUPPORT. */
const NO_SUCH_FAMILY = 0x00050061

/** Runs a filter as the kernel does: what it says of a call, by its number, machine and first arguments. */
function judge(
  filter: Buffer,
  call: number,
  machine: number,
  ...[first = 1, second, third]: number[]
): number {
  const data = new Map([
    [0, call],
    [4, machine],
    [16, first],
    [24, second],
    [32, third],
  ])
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const [ifTrue, ifFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x20) loaded = data.get(value) ?? Number.NaN
    else if (code === 0x15) at += loaded === value ? ifTrue : ifFalse
    else if (code === 0x45) at += loaded & value ? ifTrue : ifFalse
    else if (code === 0x35) at += loaded >= value ? ifTrue : ifFalse
    else if (code === 0x06) return value
    else throw new Error(`there is no instruction ${code}`)
  }
  throw new Error('the filter ends without a word')
}

describe.each([
  ['x64', X64, ARM64, 0],
  ['arm64', ARM64, X64, 1],
] as const)('the filter of calls on %s', (arch, machine, other, column) => {
  const filter = seccompFilter(arch) ?? Buffer.alloc(0)
  const numbers = new Set(Object.values(failing).map((row) => row[column]))

  verifies('wall.plugin.kernel', 'fails just the calls of the list', () => {
    const failed = Array.from({ length: 1_000 }, (_, call) => call).filter(
      (call) => judge(filter, call, machine) !== LET_THROUGH,
    )
    expect(failed).toEqual([...numbers].sort((a, b) => a - b))
    for (const call of numbers) expect(judge(filter, call, machine)).toBe(NO_SUCH_CALL)
  })

  verifies.each('wall.plugin.kernel')(Object.entries(sockets))(
    'lets %s open four families alone',
    (_name, row) => {
      const opened = Array.from({ length: 64 }, (_, family) => family).filter(
        (family) => judge(filter, row[column], machine, family) === LET_THROUGH,
      )
      expect(opened).toEqual(FAMILIES)
      expect(judge(filter, row[column], machine, 40)).toBe(NO_SUCH_FAMILY)
    },
  )

  verifies.each('wall.plugin.kernel')([
    ['a process', 0x01200011, LET_THROUGH],
    ['a thread', 0x003d0f00, LET_THROUGH],
    ['a thread with open files of its own', 0x003d0b00, NO_SUCH_CALL],
  ])('judges %s by what it shares', (_name, flags, said) => {
    expect(judge(filter, [56, 220][column] as number, machine, flags)).toBe(said)
  })

  verifies('wall.plugin.kernel', 'lets a socket have every option but a program', () => {
    const setsockopt = [54, 208][column] as number
    const options = Array.from({ length: 100 }, (_, option) => option)
    const failed = (level: number) =>
      options.filter((option) => judge(filter, setsockopt, machine, 3, level, option) !== LET_THROUGH)
    expect(failed(1)).toEqual([26, 50, 51, 52])
    // The same numbers of IPv6 and TCP say something else.
    expect([...failed(0), ...failed(6), ...failed(41)]).toEqual([])
  })

  verifies('wall.plugin.kernel', 'lets a process say all of itself but a filter', () => {
    const prctl = [157, 167][column] as number
    const failed = Array.from({ length: 80 }, (_, option) => option).filter(
      (option) => judge(filter, prctl, machine, option) !== LET_THROUGH,
    )
    expect(failed).toEqual([22])
  })

  verifies('wall.plugin.kernel', 'fails every call of a program of another machine', () => {
    for (const call of [1, 2, 59, ...numbers])
      for (const stranger of [other, I386]) expect(judge(filter, call, stranger)).toBe(NO_SUCH_CALL)
  })

  verifies('wall.plugin.kernel', 'is whole: the last number is judged like the first', () => {
    expect(filter.length % 8).toBe(0)
    expect(judge(filter, 0xffffffff, machine)).toBe(NO_SUCH_CALL)
  })
})

verifies('wall.plugin.kernel', 'on x64 calls of the kind x32 fail, from the first number on', () => {
  const filter = seccompFilter('x64') ?? Buffer.alloc(0)
  expect(judge(filter, 0x3fffffff, X64)).toBe(LET_THROUGH)
  for (const call of [0x40000000, 0x40000001, 0x40000000 + 59, 0x7fffffff])
    expect(judge(filter, call, X64)).toBe(NO_SUCH_CALL)
  const arm = seccompFilter('arm64') ?? Buffer.alloc(0)
  expect(judge(arm, 0xfffffffe, ARM64)).toBe(LET_THROUGH)
})

it('is that of this machine, and none where the numbers are not known', () => {
  expect(seccompFilter()).toEqual(seccompFilter(process.arch))
  expect(seccompFilter('ia32')).toBeUndefined()
})
