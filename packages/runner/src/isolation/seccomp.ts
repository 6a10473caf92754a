/** A machine as the kernel names it, and its numbers of the calls below. */
interface Machine {
  readonly audit: number
  /** Calls of another kind of program (x32) carry this bit; they are refused whole. */
  readonly other?: number
  readonly calls: Readonly<Record<string, number>>
}

/**
 * Calls of the kernel that no plugin needs and that namespaces do not wall off, or by which most of the kernel's faults
 * were reached: keys that a session shares, memory that belongs to no folder, programs in the kernel, and the building of
 * new walls.
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
    },
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
    },
  },
}

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_FROM = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
/** The call fails with ENOSYS, as on a kernel without it: programs then take another way. */
const FAIL = 0x00050000 | 38
const AT_CALL = 0
const AT_MACHINE = 4
const INSTRUCTION_BYTES = 8

/** The filter for programs of this machine in the form that the kernel takes; nothing where its calls are not known. */
export function seccompFilter(arch: NodeJS.Architecture = process.arch): Buffer | undefined {
  const machine = machines[arch]
  if (!machine) return undefined
  const { audit, other = 0xffffffff, calls } = machine
  const numbers = Object.values(calls)
  const toFail = numbers.length + 1
  const program: readonly (readonly [code: number, ifTrue: number, ifFalse: number, value: number])[] = [
    [LOAD, 0, 0, AT_MACHINE],
    // A program of another machine, such as of 32 bits, has other numbers.
    [JUMP_EQUAL, 0, toFail + 2, audit],
    [LOAD, 0, 0, AT_CALL],
    [JUMP_FROM, toFail, 0, other],
    ...numbers.map((number, at) => [JUMP_EQUAL, numbers.length - at, 0, number] as const),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, FAIL],
  ]
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    const from = at * INSTRUCTION_BYTES
    bytes.writeUInt16LE(code, from)
    bytes.writeUInt8(ifTrue, from + 2)
    bytes.writeUInt8(ifFalse, from + 3)
    bytes.writeUInt32LE(value >>> 0, from + 4)
  }
  return bytes
}
