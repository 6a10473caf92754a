import { readdirSync, readFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import type { ResourceUse, Share } from '../isolation/shares.ts'
import type { Child } from './child.ts'

/**
 * Looks from time to time at what a process and all it started take: processes, memory, CPU, and room in its folder.
 * The kernel bounds each process by itself (`isolators.ts`); this bounds their sum, and that of all of a user. `onOver`
 * is called once, with a sentence.
 */
export function watchBounds(
  child: Child,
  folder: string,
  { limits, share }: { readonly limits: Limits; readonly share: Share },
  onOver: (problem: string) => void,
): void {
  const { pid } = child
  if (pid === undefined) return
  let timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
  let isOver = false
  void child.ended.then(() => {
    isOver = true
    share.drop()
    clearTimeout(timer)
  })

  async function check(): Promise<void> {
    const taken = takenBy(pid as number, limits)
    const problem = overIn(taken, limits) ?? share.note(taken) ?? (await tooMuchIn(folder, limits))
    if (isOver) return
    if (problem === undefined) timer = setTimeout(check, limits.PLUGIN_WATCH_MS)
    else onOver(problem)
  }
}

const PAGE_BYTES = 4_096
/** What the kernel counts CPU in, whatever its own clock does. */
const TICKS_A_SECOND = 100

/**
 * What a tree of processes takes; of one with too many only what was looked at. Its memory is what each holds by itself; its
 * CPU is what each used, and those of its children that ended and that it waited for.
 */
function takenBy(
  root: number,
  { PLUGIN_PROCESSES_MAX: most }: Limits,
): ResourceUse & { readonly ticks: number } {
  const pids = [root]
  let held = 0
  let ticks = 0
  for (const pid of pids) {
    if (pids.length > most) break
    for (const task of names(`/proc/${pid}/task`))
      pids.push(...text(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
    const [, resident = '0', shared = '0'] = text(`/proc/${pid}/statm`).split(' ')
    held += (Number(resident) - Number(shared)) * PAGE_BYTES
    ticks += ticksOf(pid)
  }
  return { bytes: held, processes: pids.length, ticks }
}

/** What it takes too much of, in a sentence. */
function overIn({ bytes, processes, ticks }: ReturnType<typeof takenBy>, limits: Limits): string | undefined {
  const { PLUGIN_PROCESSES_MAX: most, PLUGIN_MEMORY_MAX_BYTES: memory, PLUGIN_CPU_MAX_S: seconds } = limits
  if (processes > most) return `it has more than ${most} processes`
  if (ticks > seconds * TICKS_A_SECOND) return `it used more than ${seconds} seconds of CPU`
  return bytes > memory ? `it holds more than ${memory} bytes of memory` : undefined
}

/** Of a line such as `7 (name) S 1 …`, whose name may hold anything: user and system time, then those of its children. */
function ticksOf(pid: number): number {
  const line = text(`/proc/${pid}/stat`)
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

/** Whether a folder holds more than a plugin may. What cannot be looked at is taken to be gone. */
async function tooMuchIn(folder: string, limits: Limits): Promise<string | undefined> {
  const { PLUGIN_DISK_MAX_BYTES: bytes, PLUGIN_DISK_MAX_FILES: files } = limits
  let held = 0
  let count = 0
  const folders = [folder]
  for (const at of folders) {
    const entries = await opendir(at).catch(() => undefined)
    if (!entries) continue
    for await (const entry of entries) {
      if (++count > files) return `its folder holds more than ${files} files`
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) held += (await stat(path).catch(() => undefined))?.size ?? 0
    }
    if (held > bytes) return `its folder holds more than ${bytes} bytes`
  }
  return undefined
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
