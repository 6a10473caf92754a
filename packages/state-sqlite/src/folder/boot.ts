import { readFile } from 'node:fs/promises'

/** What tells one start of the machine from another, where the system has it (Linux). */
export async function bootId(): Promise<string | null> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  } catch {
    return null
  }
}
