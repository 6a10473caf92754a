/** A machine as the kernel names it, and its numbers of the calls below. */
interface Machine {
  readonly audit: number
  /** Calls of another kind of program (x32) carry this bit; they are refused whole. */
  readonly other?: number
  readonly calls: Readonly<Record<string, number>>
  /** Calls that open a socket: their first argument is its family. */
  readonly sockets: readonly number[]
  /** The call that begins a thread or a process: its first argument says what they share. */
  readonly clone: number
  /** The call that sets an option of a socket: its second argument is the level, its third the option. */
  readonly setsockopt: number
  /** The call that does one of many things: its first argument says which. */
  readonly prctl: number
}

/**
 * Calls of the kernel that no plugin needs and that namespaces do not wall off, or by which most of the kernel's faults
 * were reached: keys that a session shares, memory that belongs to no folder and is counted for nobody, requests and
 * programs in the kernel, of which there are only so many on a machine, the building of new walls, and whatever lets
 * one process read, change or steer another, such as the first one behind the walls, which ends the others. `clone3`
 * says what it wants in memory, where no filter can look: libraries take `clone` where it fails.
 */
const machines: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: {
    audit: 0xc000003e,
    other: 0x40000000,
    calls: {
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      bpf: 321,
      perf_event_open: 298,
      userfaultfd: 323,
      memfd_create: 319,
      memfd_secret: 447,
      io_uring_setup: 425,
      io_setup: 206,
      seccomp: 317,
      kexec_load: 246,
      init_module: 175,
      finit_module: 313,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      unshare: 272,
      setns: 308,
      open_tree: 428,
      move_mount: 429,
      fsopen: 430,
      open_by_handle_at: 304,
      acct: 163,
      swapon: 167,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      pidfd_getfd: 438,
      kcmp: 312,
      process_madvise: 440,
      process_mrelease: 448,
      move_pages: 279,
      migrate_pages: 256,
      shmget: 29,
      semget: 64,
      msgget: 68,
      mq_open: 240,
      fanotify_init: 300,
      vmsplice: 278,
      clone3: 435,
      close_range: 436,
    },
    sockets: [41, 53],
    clone: 56,
    setsockopt: 54,
    prctl: 157,
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      bpf: 280,
      perf_event_open: 241,
      userfaultfd: 282,
      memfd_create: 279,
      memfd_secret: 447,
      io_uring_setup: 425,
      io_setup: 0,
      seccomp: 277,
      kexec_load: 104,
      init_module: 105,
      finit_module: 273,
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      unshare: 97,
      setns: 268,
      open_tree: 428,
      move_mount: 429,
      fsopen: 430,
      open_by_handle_at: 265,
      acct: 89,
      swapon: 224,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      pidfd_getfd: 438,
      kcmp: 272,
      process_madvise: 440,
      process_mrelease: 448,
      move_pages: 239,
      migrate_pages: 238,
      shmget: 194,
      semget: 190,
      msgget: 186,
      mq_open: 180,
      fanotify_init: 262,
      vmsplice: 75,
      clone3: 435,
      close_range: 436,
    },
    sockets: [198, 199],
    clone: 220,
    setsockopt: 208,
    prctl: 167,
  },
}

/**
 * The families of sockets that a plugin may open: of its own machine, of its own network, and the questions about that.
 * Others belong to no network, such as those between a machine and its host (AF_VSOCK), or are for drivers.
 */
const families = { UNIX: 1, INET: 2, INET6: 10, NETLINK: 16 }

/** What threads of a process share. One with open files of its own would hide them: nobody looks at each thread. */
const CLONE_THREAD = 0x00010000
const CLONE_FILES = 0x00000400

/** The options of a socket, at its own level, that give the kernel a program to run: SO_ATTACH_FILTER and its like. */
const SOL_SOCKET = 1
const programs = { FILTER: 26, BPF: 50, REUSEPORT_CBPF: 51, REUSEPORT_EBPF: 52 }
const PR_SET_SECCOMP = 22

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_FROM = 0x35
const JUMP_IF_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
/** The call fails with ENOSYS, as on a kernel without it: programs then take another way. */
const FAIL = 0x00050000 | 38
/** The call fails with EAFNOSUPPORT, as on a kernel without that family. */
const NO_FAMILY = 0x00050000 | 97
const AT_CALL = 0
const AT_MACHINE = 4
const AT_FIRST_ARGUMENT = 16
const AT_SECOND_ARGUMENT = 24
const AT_THIRD_ARGUMENT = 32
const INSTRUCTION_BYTES = 8

/** An instruction of the filter: where it goes on is named, or is the next one. */
interface Step {
  readonly code: number
  readonly value: number
  readonly name?: string
  readonly ifTrue?: string
  readonly ifFalse?: string
}

/** The filter for programs of this machine in the form that the kernel takes; nothing where its calls are not known. */
export function seccompFilter(arch: NodeJS.Architecture = process.arch): Buffer | undefined {
  const machine = machines[arch]
  if (!machine) return undefined
  const { audit, other = 0xffffffff, calls, sockets, clone, setsockopt, prctl } = machine
  const equals = (values: Readonly<Record<string, number>> | readonly number[], ifTrue: string): Step[] =>
    Object.values(values).map((value) => ({ code: JUMP_EQUAL, value, ifTrue }))
  return assemble([
    { code: LOAD, value: AT_MACHINE },
    // A program of another machine, such as of 32 bits, has other numbers.
    { code: JUMP_EQUAL, value: audit, ifFalse: 'fail' },
    { code: LOAD, value: AT_CALL },
    { code: JUMP_FROM, value: other, ifTrue: 'fail' },
    ...equals(calls, 'fail'),
    ...equals(sockets, 'socket'),
    { code: JUMP_EQUAL, value: clone, ifTrue: 'clone' },
    { code: JUMP_EQUAL, value: setsockopt, ifTrue: 'option' },
    { code: JUMP_EQUAL, value: prctl, ifTrue: 'prctl' },
    { code: RETURN, value: ALLOW },
    { code: LOAD, value: AT_FIRST_ARGUMENT, name: 'prctl' },
    { code: JUMP_EQUAL, value: PR_SET_SECCOMP, ifTrue: 'fail', ifFalse: 'allow' },
    { code: LOAD, value: AT_SECOND_ARGUMENT, name: 'option' },
    { code: JUMP_EQUAL, value: SOL_SOCKET, ifFalse: 'allow' },
    { code: LOAD, value: AT_THIRD_ARGUMENT },
    ...equals(programs, 'fail'),
    { code: RETURN, value: ALLOW },
    { code: LOAD, value: AT_FIRST_ARGUMENT, name: 'clone' },
    { code: JUMP_IF_BIT, value: CLONE_THREAD, ifFalse: 'allow' },
    { code: JUMP_IF_BIT, value: CLONE_FILES, ifTrue: 'allow', ifFalse: 'fail' },
    { code: LOAD, value: AT_FIRST_ARGUMENT, name: 'socket' },
    ...equals(families, 'allow'),
    { code: RETURN, value: NO_FAMILY },
    { code: RETURN, value: ALLOW, name: 'allow' },
    { code: RETURN, value: FAIL, name: 'fail' },
  ])
}

function assemble(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * INSTRUCTION_BYTES)
  for (const [at, { code, value, ifTrue, ifFalse }] of steps.entries()) {
    // Counted from the next instruction, and only forward.
    const to = (name: string | undefined) =>
      name === undefined ? 0 : steps.findIndex((step) => step.name === name) - at - 1
    const from = at * INSTRUCTION_BYTES
    bytes.writeUInt16LE(code, from)
    bytes.writeUInt8(to(ifTrue), from + 2)
    bytes.writeUInt8(to(ifFalse), from + 3)
    bytes.writeUInt32LE(value >>> 0, from + 4)
  }
  return bytes
}
