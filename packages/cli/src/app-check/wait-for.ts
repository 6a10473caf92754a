import { setTimeout as pause } from 'node:timers/promises'
import { bounds } from './bounds.ts'

/** Waits until something holds, for `ms` at most; resolves to whether it does. */
export async function waitFor(holds: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (await holds()) return true
    await pause(bounds.QUIET_MS / 4)
  }
  return await holds()
}
