import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { Limits } from '@svc/contract/limits'
import { pause } from '@svc/node'
import type { ResourceUse } from '../isolation/shares.ts'
import type { FirstProcess } from './first-process.ts'

/** What all processes of a namespace take. */
export interface Taken extends ResourceUse {
  readonly threads: number
  /** CPU that was used, in hundredths of a second. */
  readonly ticks: number
  readonly sockets: number
  readonly openFiles: number
  /** Bytes of files without a name, which take room as long as somebody has them open or mapped. */
  readonly unlinkedBytes: number
}

const KIB = 1_024
/** What a pipe holds, and what a socket to another process may be told to hold at most, where the machine does not say. */
const PIPE_BYTES = 65_536
const SOCKET_BYTES = 212_992
/** What of the kernel's memory a byte in the buffer of a connection takes. */
const QUEUED_TIMES = 2
/** Processes and files that are looked at before others have their turn. */
const BATCH = 16

/**
 * Looks at all processes of a namespace, by the /proc that they see themselves: that lists no other one. Of more processes,
 * files or sockets than a plugin may have it looks at none: their number says it all.
 *
 * Memory is what each process has for itself or shares with others, what the kernel keeps to find it, and what lies in pipes
 * and sockets. What several share is counted once, where it matters.
 */
export async function takenBy(first: FirstProcess, limits: Limits): Promise<Taken> {
  const proc = `/proc/${first.pid}/root/proc`
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name))
  const network = await socketsOf(`/proc/${first.pid}/net`, limits)
  const files = openFiles(limits)
  let bytes = network.bytes
  let shared = 0
  let threads = 0
  let ticks = 0
  const looked = pids.length > limits.PLUGIN_PROCESSES_MAX ? [] : pids
  for (const [at, pid] of looked.entries()) {
    if (at % BATCH === BATCH - 1) await pause()
    const status = text(`${proc}/${pid}/status`)
    bytes += KIB * ['RssAnon', 'VmSwap', 'VmPTE'].reduce((sum, name) => sum + numberOf(status, name), 0)
    shared += KIB * numberOf(status, 'RssShmem')
    threads += numberOf(status, 'Threads')
    ticks += ticksOf(text(`${proc}/${pid}/stat`))
    await files.look(`${proc}/${pid}`)
  }
  bytes += files.pipes() * PIPE_BYTES
  // Each of those that share a page says that it has it.
  if (bytes + shared > limits.PLUGIN_MEMORY_MAX_BYTES && shared > 0)
    shared = await sharedBy(looked.map((pid) => `${proc}/${pid}`))
  return {
    bytes: bytes + shared,
    // The program that waits for the namespace is outside of it.
    processes: pids.length + 1,
    threads,
    ticks,
    sockets: network.count,
    openFiles: files.count(),
    unlinkedBytes: files.unlinkedBytes(),
  }
}

/** Shared memory of several processes, each page once: a page that four have is a quarter of each. */
async function sharedBy(processes: readonly string[]): Promise<number> {
  let bytes = 0
  for (const process of processes) {
    const rollup = await readFile(`${process}/smaps_rollup`, 'latin1').catch(() => '')
    bytes += KIB * numberOf(rollup, 'Pss_Shmem')
  }
  return bytes
}

/** The open and mapped files of processes; each once, however many have it. */
function openFiles({ PLUGIN_OPEN_FILES_ALL_MAX: most }: Limits) {
  const unlinked = new Map<string, number>()
  const pipes = new Set<bigint>()
  let count = 0
  return {
    async look(process: string): Promise<void> {
      for (const fd of await readdir(`${process}/fd`).catch(() => [])) {
        if (++count > most) return
        if (count % BATCH === 0) await pause()
        const found = statOf(`${process}/fd/${fd}`)
        if (found?.isFIFO()) pipes.add(found.ino)
        else if (found?.isFile() && found.nlink === 0n) unlinked.set(String(found.ino), Number(found.size))
      }
      for (const { inode, bytes } of mappedIn(await readFile(`${process}/maps`, 'latin1').catch(() => '')))
        unlinked.set(inode, Math.max(bytes, unlinked.get(inode) ?? 0))
    },
    count: () => count,
    pipes: () => pipes.size,
    unlinkedBytes: () => [...unlinked.values()].reduce((sum, bytes) => sum + bytes, 0),
  }
}

/** What is open by that number; nothing where it was closed, or its process has ended meanwhile. */
function statOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}

/** A line of `maps` whose file has no name any more; memory that processes share has none either, and is counted as such. */
const UNLINKED = /^([\da-f]+)-([\da-f]+) \S+ ([\da-f]+) \S+ (\d+) +(?!\/dev\/zero|\/SYSV)\S.* \(deleted\)$/gm

/** The mapped files without a name, each as far as it is mapped. */
function mappedIn(maps: string) {
  if (!maps.includes('(deleted)')) return []
  return [...maps.matchAll(UNLINKED)].map(([, from = '', to = '', offset = '', inode = '']) => ({
    inode,
    bytes: hex(offset) + hex(to) - hex(from),
  }))
}
const hex = (digits: string) => Number.parseInt(digits, 16)

/** The sockets of a network, and what they hold; those to other processes of the machine do not say it. */
async function socketsOf(
  net: string,
  { PLUGIN_SOCKETS_MAX: most }: Limits,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const count = numberOf(text(`${net}/sockstat`), 'sockets: used')
  if (count > most) return { count, bytes: 0 }
  const [unix = '', ...tables] = await Promise.all(
    ['unix', 'tcp', 'tcp6', 'udp', 'udp6'].map((name) =>
      readFile(`${net}/${name}`, 'latin1').catch(() => ''),
    ),
  )
  const queued = tables.flatMap((table) => [...table.matchAll(QUEUES)])
  const bytes = queued.reduce((sum, [, sent = '', came = '']) => sum + hex(sent) + hex(came), 0)
  const toProcesses = Math.max(unix.split('\n').length - 2, 0)
  return { count, bytes: toProcesses * SOCKET_BYTES + bytes * QUEUED_TIMES }
}
const QUEUES = / ([\dA-F]{8}):([\dA-F]{8}) [\dA-F]{2}:/g

/** The number behind a name, such as of `VmPTE:      12 kB`; 0 where it is not there. */
function numberOf(lines: string, name: string): number {
  const at = lines.indexOf(name)
  return at === -1 ? 0 : Number.parseInt(lines.slice(at + name.length + 1), 10)
}

/** Of a line such as `7 (name) S 1 …`, whose name may hold anything: user and system time, then those of its children. */
function ticksOf(line: string): number {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
