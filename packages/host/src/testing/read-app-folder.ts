import { limits } from '@svc/contract'
import type { Push } from '../apps/apps.ts'
import { readFolder } from '../apps/push-input.ts'
import { openThreads } from '../kernel/threads/threads.ts'

/** Reads the folder of a built app, `manifest.json` in it, as a host reads those that it is configured with. */
export async function readAppFolder(dir: string): Promise<Push> {
  const threads = openThreads()
  try {
    return await readFolder(dir, { limits, threads })
  } finally {
    await threads.close()
  }
}
