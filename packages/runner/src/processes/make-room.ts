import type { Folders, ProcessFolder } from './folders.ts'

/** The folders of one process, or a sentence where the disk does not let them be made. */
export function makeRoom(
  folders: Folders,
  cacheKey: string | undefined,
): ProcessFolder | { readonly problem: string } {
  try {
    return { cache: cacheKey === undefined ? undefined : folders.cache(cacheKey), folder: folders.own() }
  } catch (error) {
    return {
      problem: `its folder could not be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
