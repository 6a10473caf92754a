import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

/** How often a process that waits looks whether the other one has ended. */
const LOOK_MS = 200

/**
 * Works while no other process does that names the same file: the lock of a database, which goes with a process that is
 * killed. The file may stay.
 */
export async function oneAtATime<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file)
  try {
    while (!isTaken(lock)) await setTimeout(LOOK_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) return false
    throw error
  }
}
