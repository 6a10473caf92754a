import { readdir, readFile } from 'node:fs/promises'
import type { Limits } from '@svc/contract/limits'
import { pause } from '@svc/node'
import type { ResourceUse } from '../isolation/shares.ts'
import type { FirstProcess } from './first-process.ts'
import { hex } from './mapped-files.ts'
import { isOver, openFiles, text } from './open-files.ts'
import { statFields } from './stat-fields.ts'

/** What all processes of a namespace take. */
export interface Taken extends ResourceUse {
  readonly threads: number
  /** CPU that was used, in hundredths of a second. */
  readonly ticks: number
  readonly sockets: number
  readonly openFiles: number
  /** Bytes of files without a name, which take room as long as somebody has them open or mapped. */
  readonly unlinkedBytes: number
  /** Files that were sent from one to another and have not come: nobody has them open, and they take room. */
  readonly sentFiles: number
  /** What the kernel says of all that they have mapped. */
  readonly mapsBytes: number
}

const KIB = 1_024
/** What a pipe holds, and what a socket to another process may be told to hold at most, where the machine does not say. */
const PIPE_BYTES = 65_536
const SOCKET_BYTES = 212_992
/** What of the kernel's memory a byte in the buffer of a connection takes. */
const QUEUED_TIMES = 2
/** Processes that are looked at before others have their turn. */
const BATCH = 16
/** Lines of a table of connections. */
const BATCH_OF_LINES = 1_024

/**
 * Looks at all processes of a namespace, by the /proc that they see themselves: that lists no other one. Of more processes,
 * files or sockets than a plugin may have it looks at none: their number says it all.
 *
 * Memory is what each process has for itself or shares with others, what the kernel keeps to find it, and what lies in pipes
 * and sockets. What several share is counted once, where it matters.
 *
 * @param ticksOf the CPU of each process, kept from one look to the next, also of those that have ended
 */
export async function takenBy(
  first: FirstProcess,
  limits: Limits,
  ticksOf: Map<string, number>,
): Promise<Taken> {
  const proc = `/proc/${first.pid}/root/proc`
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name))
  const network = await socketsOf(`/proc/${first.pid}/net`, limits)
  const files = openFiles(limits)
  let bytes = network.bytes
  let shared = 0
  let threads = 0
  let ticks = 0
  const looked = pids.length > limits.PLUGIN_PROCESSES_MAX ? [] : pids
  for (const [at, pid] of looked.entries()) {
    if (at % BATCH === BATCH - 1) await pause()
    const process = await livingOf(`${proc}/${pid}`)
    const status = text(`${process}/status`)
    bytes += KIB * ['RssAnon', 'VmSwap', 'VmPTE'].reduce((sum, name) => sum + numberOf(status, name), 0)
    shared += KIB * numberOf(status, 'RssShmem')
    threads += numberOf(status, 'Threads')
    const { own, waited, name } = timesOf(pid, text(`${proc}/${pid}/stat`))
    ticksOf.set(name, own)
    ticks += own + waited
    await files.look(process)
  }
  const { pipes, ...found } = files.found()
  bytes += pipes * PIPE_BYTES
  // Each of those that share a page says that it has it.
  if (bytes + shared > limits.PLUGIN_MEMORY_MAX_BYTES && shared > 0)
    shared = await sharedBy(looked.map((pid) => `${proc}/${pid}`))
  return {
    bytes: bytes + shared,
    // The program that waits for the namespace is outside of it.
    processes: pids.length + 1,
    threads,
    // Of a process that has ended and that nobody waited for only what was seen of it is known.
    ticks: Math.max(
      ticks,
      [...ticksOf.values()].reduce((sum, one) => sum + one, 0),
    ),
    sockets: network.count,
    ...found,
  }
}

/** A process, or a thread of one whose first thread has ended: that shows nothing of what the others hold. */
async function livingOf(process: string): Promise<string> {
  const status = text(`${process}/status`)
  if (!isOver(status) || numberOf(status, 'Threads') < 2) return process
  for (const task of await readdir(`${process}/task`).catch(() => []))
    if (!isOver(text(`${process}/task/${task}/status`))) return `${process}/task/${task}`
  return process
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
  let bytes = 0
  let looked = 0
  // Connections that have ended are in there for a minute.
  for (const table of tables)
    for (const [, sent = '', came = ''] of table.matchAll(QUEUES)) {
      if (++looked % BATCH_OF_LINES === 0) await pause()
      bytes += hex(sent) + hex(came)
    }
  const toProcesses = Math.max(unix.split('\n').length - 2, 0)
  return { count, bytes: toProcesses * SOCKET_BYTES + bytes * QUEUED_TIMES }
}
const QUEUES = / ([\dA-F]{8}):([\dA-F]{8}) [\dA-F]{2}:/g

/** The number behind a name at the beginning of a line, such as of `VmPTE:      12 kB`; 0 where it is not there. */
function numberOf(lines: string, name: string): number {
  // The name of a program, in a line before, may be any text.
  const [, digits = '0'] = new RegExp(`^${name}:?\\s+(\\d+)`, 'm').exec(lines) ?? []
  return Number(digits)
}

/**
 * The time that a process used, that of its children which it waited for, and when it began, which with its number names it
 * among all.
 */
function timesOf(pid: string, stat: string) {
  const fields = statFields(stat)
  const [own = 0, system = 0, children = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: own + system, waited: children + childrenSystem, name: `${pid} ${fields[19]}` }
}
