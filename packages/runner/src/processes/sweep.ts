import { constants, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { removeTree } from '@svc/node'
import { statFields } from './stat-fields.ts'

/** How the name of a runner's folder begins. */
export const PREFIX = 'svc-runner-'

/** The file in it that says whose it is. */
const OWNER = 'owner'
const OWNER_MAX_BYTES = 1_024

/** A process among all that a machine has had: where its number counts, and since when it has it. */
interface Owner {
  readonly pid: number
  readonly started: string
  /** The boot of the machine and the namespace of the number: seen from another, the same number says nothing. */
  readonly among: string
}

/** Writes into a runner's folder that it is of this process. Without /proc (macOS) nobody can tell, and nothing is swept. */
export function markOwner(folder: string): void {
  const owner = ownerOf(process.pid)
  if (owner) writeFileSync(join(folder, OWNER), JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
}

/**
 * Removes the folders of runners that were killed: those of this user whose owner is known and has ended. Never follows a
 * link, never rejects, and ends within its limits or soon after `signal` fires; what is left is for the next start.
 */
export async function sweep(place: string, limits: Limits, signal?: AbortSignal): Promise<void> {
  const untilMs = performance.now() + limits.SWEEP_MS
  let names = 0
  let removed = 0
  try {
    for await (const { name } of await opendir(place)) {
      if (++names > limits.SWEEP_NAMES_MAX || performance.now() > untilMs || signal?.aborted) return
      const folder = join(place, name)
      if (!name.startsWith(PREFIX) || !(await isOrphaned(folder))) continue
      await removeTree(folder).catch(() => {})
      if (++removed === limits.SWEEP_FOLDERS_MAX) return
    }
  } catch {
    // A place that cannot be looked at stays as it is.
  }
}

/** Whether it is a folder of this user whose owner has ended. */
async function isOrphaned(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder)
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false
    const owner = parse(await readOwner(join(folder, OWNER)))
    const now = owner && ownerOf(owner.pid)
    return owner !== undefined && owner.among === among() && now?.started !== owner.started
  } catch {
    return false
  }
}

async function readOwner(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(OWNER_MAX_BYTES))
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

function parse(text: string): Owner | undefined {
  const { pid, started, among } = JSON.parse(text) ?? {}
  const isOwner = Number.isSafeInteger(pid) && typeof started === 'string' && typeof among === 'string'
  return isOwner ? { pid, started, among } : undefined
}

/** Where the time of the start stands, counted from the state on. */
const STARTED = 19

/** Returns a process that lives now; nothing of another. */
export function ownerOf(pid: number): Owner | undefined {
  try {
    const fields = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    const started = fields[STARTED]
    return started === undefined || fields[0] === 'Z' ? undefined : { pid, started, among: among() }
  } catch {
    return undefined
  }
}

const among = () =>
  `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
