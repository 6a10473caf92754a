import { open } from 'node:fs/promises'

/** Has the disk keep which files a folder holds: a rename outlives a power cut only then. */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
