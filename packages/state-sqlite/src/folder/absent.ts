/** What a promise of the file system gives, or null where the file or folder is not there. */
export async function unlessAbsent<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
