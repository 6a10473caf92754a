import { readdirSync, readFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import type { Child } from '../child.ts'

/**
 * Looks from time to time at what a process and all it started take: processes, memory, and room in its folder. The
 * kernel bounds each process by itself (`fence.ts`); this bounds their sum. `onOver` hears once, in a sentence.
 */
export function watchBounds(
  child: Child,
  folder: string,
  limits: Limits,
  onOver: (problem: string) => void,
): void {
  const { pid } = child
  if (pid === undefined) return
  let timer = setTimeout(look, limits.PLUGIN_WATCH_MS)
  let isOver = false
  void child.ended.then(() => {
    isOver = true
    clearTimeout(timer)
  })

  async function look(): Promise<void> {
    const problem = overIn(pid as number, limits) ?? (await tooMuchIn(folder, limits))
    if (isOver) return
    if (problem === undefined) timer = setTimeout(look, limits.PLUGIN_WATCH_MS)
    else onOver(problem)
  }
}

const PAGE_BYTES = 4_096

/** What a tree of processes takes too much of, in a sentence; its memory is what each holds by itself. */
function overIn(root: number, limits: Limits): string | undefined {
  const { PLUGIN_PROCESSES_MAX: most, PLUGIN_MEMORY_MAX_BYTES: bytes } = limits
  const pids = [root]
  let held = 0
  for (const pid of pids) {
    if (pids.length > most) return `it has more than ${most} processes`
    for (const task of names(`/proc/${pid}/task`))
      pids.push(...text(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
    const [, resident = '0', shared = '0'] = text(`/proc/${pid}/statm`).split(' ')
    held += (Number(resident) - Number(shared)) * PAGE_BYTES
  }
  return held > bytes ? `it holds more than ${bytes} bytes of memory` : undefined
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
