import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { statFields } from './stat-fields.ts'

/**
 * The first process of a namespace of processes, as the runner sees it. The kernel ends all others of the namespace with
 * it, whoever their parents are.
 */
export interface FirstProcess {
  readonly pid: number
  /** Names the namespace: no other process has it, so that a number which was given anew is not taken for this one. */
  readonly namespace: string
}

/**
 * Returns the first process behind the one that was started, which waits for it. Nothing as long as that has not made its
 * namespace, and where it is gone: look before you kill it.
 */
export function firstBehind(starter: number): FirstProcess | undefined {
  try {
    const [pid] = readFileSync(`/proc/${starter}/task/${starter}/children`, 'latin1').split(' ').map(Number)
    const namespace = pid ? namespaceOf(pid) : undefined
    return pid && namespace !== undefined && namespace !== namespaceOf(process.pid)
      ? { pid, namespace }
      : undefined
  } catch {
    // It has ended.
    return undefined
  }
}

/** Whether it runs now. One that has ended, and was not waited for, does not. */
function isRunning({ pid, namespace }: FirstProcess): boolean {
  try {
    const [state = ''] = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return namespaceOf(pid) === namespace && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** Kills it, and so its whole namespace. One that is gone already is fine. */
export function killFirst(first: FirstProcess): void {
  if (!isRunning(first)) return
  try {
    process.kill(first.pid, 'SIGKILL')
  } catch {
    // It ended in this moment.
  }
}

/** How often a namespace is looked at that does not end at once. */
const LOOK_MS = 20

/** Waits until it is gone, and kills it meanwhile; whether it still runs after `ms`. */
export async function outlives(first: FirstProcess, ms: number): Promise<boolean> {
  const untilMs = performance.now() + ms
  for (; isRunning(first); await pause(LOOK_MS)) {
    if (performance.now() > untilMs) return true
    killFirst(first)
  }
  return false
}

const namespaceOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/pid`)
