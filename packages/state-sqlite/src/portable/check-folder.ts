import { createHash } from 'node:crypto'
import { decodePart } from '@svc/state/driver'
import { openBlob } from '../folder/blob-files.ts'
import { FolderError } from '../folder/folder-error.ts'
import type { Checked, CheckedRecords, EntryPlace } from '../threads/checks.ts'
import type { SnapshotCollection } from '../threads/snapshot.ts'
import { type SnapshotParts, snapshotFolder } from './snapshot-folder.ts'

/** The blobs that a row names. */
export interface NamedBlobs {
  /** Digests of blobs that must be there. */
  readonly needs: readonly string[]
  /** Digests of blobs that may be there, and are not left over. */
  readonly uses: readonly string[]
}

/** How a folder is checked. */
export interface CheckOptions {
  /** By the name of a collection: the blobs that a row of it names. Left out, blobs are not compared with rows. */
  readonly namedBlobs?: Readonly<Record<string, (row: never) => NamedBlobs>>
  /** Hears what was looked at: records, items and blobs, of `total` about. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What a check found. */
export interface FolderReport {
  /** What is wrong, one sentence each; the first thousand. */
  readonly problems: readonly string[]
  /** How many problems there are in all. */
  readonly found: number
  readonly records: number
  readonly items: number
  readonly blobs: number
  /** Blobs that no row names: left over by a write that was cut off. Null where that is not known. */
  readonly unnamedBlobs: number | null
}

const PROBLEMS_KEPT = 1_000

/**
 * Looks at everything in a data folder, while a host may use it: what SQLite says of its files, check sums, indexes,
 * holes in journals, and blobs against their digests and the rows that name them. Nothing is changed. Throws
 * `FolderError` for a folder that cannot be opened.
 */
export async function checkFolder(dir: string, options: CheckOptions = {}): Promise<FolderReport> {
  const parts = await snapshotFolder(dir)
  try {
    return await checkSnapshot(parts, options)
  } finally {
    await parts.close()
  }
}

async function checkSnapshot(
  parts: SnapshotParts,
  { namedBlobs, onProgress }: CheckOptions,
): Promise<FolderReport> {
  const { thread } = parts
  const problems: string[] = []
  const counts = { found: 0, records: 0, items: 0 }
  let done = 0
  let total = parts.blobs.length

  function note(found: readonly string[]): void {
    counts.found += found.length
    problems.push(...found.slice(0, PROBLEMS_KEPT - problems.length))
  }
  function advance(count: number): void {
    done += count
    onProgress?.(done, total)
  }
  /** Work that may meet a page that SQLite cannot read: the others are checked all the same. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof FolderError)) throw error
      note([error.message])
    }
  }

  const named = openNamed(parts.blobs)
  async function checkCollection({ n, name }: SnapshotCollection): Promise<void> {
    const blobsOf = namedBlobs && Object.hasOwn(namedBlobs, name) ? namedBlobs[name] : undefined
    for (let after: string | null = ''; after !== null; ) {
      const page: CheckedRecords = await thread.call('checkRecords', n, after, blobsOf !== undefined)
      note(page.problems)
      for (const [id, body] of page.rows)
        named.add(`record ${JSON.stringify(decodePart(id))} of ${name}`, body, blobsOf)
      counts.records += page.count
      advance(page.count)
      after = page.last
    }
  }

  await attempt(async () => {
    total += await thread.call<number>('total')
  })
  for (const file of ['svc.db', 'journals.db'])
    await attempt(async () =>
      note((await thread.call<string[]>('integrity', file)).map((line) => `${file}: ${line}`)),
    )
  await attempt(async () => {
    for (const collection of await thread.call<SnapshotCollection[]>('collections'))
      await attempt(() => checkCollection(collection))
  })
  await attempt(async () => {
    for (let place: EntryPlace | null = [0, '']; place !== null; ) {
      const page: Checked<EntryPlace> = await thread.call('checkEntries', ...place)
      note(page.problems)
      place = page.last
    }
  })
  await attempt(async () => {
    for (let after: string | null = ''; after !== null; ) {
      const page: Checked<string> = await thread.call('checkJournals', after)
      note(page.problems)
      counts.items += page.count
      advance(page.count)
      after = page.last
    }
    const stray = await thread.call<number>('strayItems')
    if (stray > 0) note([`journals.db: ${stray} items are of no journal`])
  })
  for (const digest of parts.blobs) {
    note(await blobProblems(parts.blobsDir, digest))
    advance(1)
  }
  note(named.missing())
  return { problems, ...counts, blobs: parts.blobs.length, unnamedBlobs: namedBlobs ? named.unnamed() : null }
}

/** Gathers which blobs rows name. */
function openNamed(blobs: readonly string[]) {
  const there = new Set(blobs)
  const unnamed = new Set(blobs)
  const missing: string[] = []
  return {
    add(where: string, body: string, blobsOf: ((row: never) => NamedBlobs) | undefined): void {
      const { needs, uses } = namedIn(body, blobsOf)
      for (const digest of [...needs, ...uses]) unnamed.delete(digest)
      for (const digest of needs)
        if (!there.has(digest)) missing.push(`${where}: its blob ${digest} is missing`)
    },
    missing: () => missing,
    unnamed: () => unnamed.size,
  }
}

/** A row that is damaged may be of any shape. */
function namedIn(body: string, blobsOf: ((row: never) => NamedBlobs) | undefined): NamedBlobs {
  try {
    return blobsOf?.(JSON.parse(body) as never) ?? { needs: [], uses: [] }
  } catch {
    return { needs: [], uses: [] }
  }
}

async function blobProblems(dir: string, digest: string): Promise<string[]> {
  const handle = await openBlob(dir, digest)
  if (!handle) return []
  try {
    const hash = createHash('sha256')
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer)
    return hash.digest('hex') === digest
      ? []
      : [`blob ${digest}: it is not what was written, its digest differs`]
  } catch (error) {
    return [`blob ${digest}: it cannot be read, ${(error as Error).message}`]
  } finally {
    await handle.close()
  }
}
