import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** Machines by their number in ELF, as Node names them. */
const MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  8: 'mips',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
}
const ELF = '7f454c46'
const ELF_64 = 2
const LITTLE = 1
/** The segment that names the loader of a program. */
const PT_INTERP = 3
const SEGMENTS_MAX = 64
const LOADER_MAX_BYTES = 256

/** What a program of Linux is made for. */
interface Elf {
  readonly machine: string | undefined
  /** The loader that the kernel starts it by; nothing where it needs none. */
  readonly loader: string | undefined
}

/** Reads the head of a program of Linux with 64 bits; nothing where the file is no such program. */
function readElf(file: string): Elf | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    const at = (place: number, bytes: number) => {
      const piece = Buffer.alloc(bytes)
      return piece.subarray(0, readSync(fd as number, piece, 0, bytes, place))
    }
    const head = at(0, 64)
    if (head.length < 64 || head.toString('hex', 0, 4) !== ELF || head[4] !== ELF_64 || head[5] !== LITTLE)
      return undefined
    const [place, size, count] = [
      Number(head.readBigUInt64LE(32)),
      head.readUInt16LE(54),
      head.readUInt16LE(56),
    ]
    const machine = MACHINES[head.readUInt16LE(18)]
    for (let n = 0; n < Math.min(count, SEGMENTS_MAX); n += 1) {
      const segment = at(place + n * size, 56)
      if (segment.length < 56 || segment.readUInt32LE(0) !== PT_INTERP) continue
      const bytes = Math.min(Number(segment.readBigUInt64LE(32)), LOADER_MAX_BYTES)
      const [loader] = at(Number(segment.readBigUInt64LE(8)), bytes)
        .toString('latin1')
        .split('\0')
      return { machine, loader }
    }
    return { machine, loader: undefined }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Why a binary cannot be started by the kernel: its loader is missing. Nothing where nothing is known against it. */
export function interpreterFault(name: string, file: string): string | undefined {
  const elf = readElf(file)
  if (!elf) return undefined
  const { machine, loader } = elf
  // A machine may be told how to run programs of others; then their loader is there.
  if (loader === undefined || existsSync(loader)) return undefined
  if (machine !== undefined && machine !== process.arch)
    return `${name} is a program for ${machine}, and this machine is ${process.arch}`
  const why = loader.includes('musl') ? ' (it was built for musl, such as on Alpine)' : ''
  return `${name} needs the loader ${loader}, which is not on this machine${why}`
}
