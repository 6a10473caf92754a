import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getHeapSpaceStatistics } from 'node:v8'

/** What V8 compiled, with what it keeps beside that. It compiles for many minutes: what is rare becomes hot late. */
export const COMPILED = 'bytes compiled'
const compiledSpaces = /^(code|trusted)_/

/** Returns what this process holds after a collection: bytes of memory, handles by kind, open files, child processes. */
export async function processCensus(): Promise<Record<string, number>> {
  globalThis.gc?.()
  await new Promise(setImmediate)
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const compiled = getHeapSpaceStatistics()
    .filter(({ space_name }) => compiledSpaces.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  const counts: Record<string, number> = {
    'bytes heap': heapUsed - compiled,
    [COMPILED]: compiled,
    'bytes external': external,
    'bytes array buffers': arrayBuffers,
    'bytes rss': rss,
    fds: (await readdir('/proc/self/fd')).length,
    children: await childrenOf(process.pid),
  }
  for (const kind of process.getActiveResourcesInfo()) {
    const name = `resources ${kind}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Processes that this one started, and theirs. */
async function childrenOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch((): string[] => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.join(' ').split(/\s+/).filter(Boolean).map(Number)
  const theirs = await Promise.all(children.map(childrenOf))
  return theirs.reduce((sum, count) => sum + count, children.length)
}

/** Returns how many files are below a folder, and what they hold; what goes meanwhile is left out. */
export async function filesBelow(dir: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    found
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
