import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Clock, systemClock } from '@svc/node'
import { clock, fn, judgeOptions, object, oneOf, type Rule, text, whole } from '@svc/node/options'
import type { Blobs, Bus, Store } from '@svc/state'
import { openTroubles } from '@svc/state/driver'
import { blobFolders } from './folder/blob-files.ts'
import { clearRemoved, hasBlobReaders } from './folder/blob-readers.ts'
import { bootId } from './folder/boot.ts'
import { blobErrorOf, blobFailureOf, errorOf, folderErrorOf, sentenceOf } from './folder/failures.ts'
import { databases, type FileState, inspectFolder, wereUsed } from './folder/inspect.ts'
import { lockFolder } from './folder/lock.ts'
import { refuseOthersFolder } from './folder/owner.ts'
import { readSecret } from './folder/secret.ts'
import { makeOwn } from './folder/sync.ts'
import { startThread, type Thread } from './folder/thread.ts'
import { openUpkeep } from './folder/upkeep.ts'
import { fileBlobs } from './ports/blobs.ts'
import { sqliteBus } from './ports/bus.ts'
import { sqliteStore } from './ports/store.ts'
import type { Durability } from './threads/database.ts'
import type { Failure } from './threads/failure.ts'
import type { ThreadData } from './threads/thread-data.ts'

/** How a data folder is opened; everything has a default. */
export interface FolderOptions {
  /** The clock of the bus; default: the machine's. */
  clock?: Clock
  /**
   * What an acknowledged write survives: `power`, also a power cut; `process`, a process that is killed. Default: records
   * `power`, journals `process` (after a power cut readers of journals are told to read again).
   */
  durability?: { records?: Durability; journals?: Durability }
  /** Bytes that records and journals may take, each; a write beyond fails as on a full disk. Default: no bound. */
  maxBytes?: number
  /** Hears of what takes long while the folder is opened: records of a collection that were indexed anew. */
  onReindex?: (collection: string, rows: number) => void
  /** Hears what went wrong beside any call; without it the process warns. */
  onError?: (error: unknown) => void
  /**
   * Hears, once, that a thread of the folder has ended by itself. From then on records and journals are refused, until
   * the folder is closed and opened again: end the process. Without it `onError` hears it.
   */
  onLost?: (error: Error) => void
}

/** What `durability` may be. */
export const durabilityRule: Rule = object({
  records: oneOf('power', 'process'),
  journals: oneOf('power', 'process'),
})

const folderRule = object({
  clock,
  durability: durabilityRule,
  maxBytes: whole(1),
  onReindex: fn,
  onError: fn,
  onLost: fn,
} satisfies Record<keyof FolderOptions, Rule>)

/** An open data folder: what `createHost` takes, and its closer. */
export interface Folder {
  /** The records. */
  readonly store: Store
  /** The journals, and messages within this process. */
  readonly bus: Bus
  /** The bytes of files. */
  readonly blobs: Blobs
  /** The secret of tokens, which outlives the process. */
  readonly secret: string
  /** Why writes fail just now, one sentence; null while they succeed. */
  trouble(): string | null
  /** Closes the three ports and lets the folder go; twice is harmless. */
  close(): Promise<void>
}

/** The first SQLite whose databases may be written by two connections at once (the WAL-reset bug is mended there). */
const TWO_CONNECTIONS = [3, 51, 3] as const

/**
 * Opens a folder that keeps the state of one host; it is made where there is none. A process that is killed at any moment
 * finds it as if it had paused: no acknowledged write is lost, none is half there.
 * Throws `FolderError`, which says what is wrong and what to do, and `OptionError` for an option that is wrong; nothing is
 * changed then.
 *
 * @example
 * ```ts
 * const folder = await openFolder('./svc-data')
 * const host = createHost({ store: folder.store, bus: folder.bus, blobs: folder.blobs, secret: folder.secret })
 * // …
 * await host.close()
 * await folder.close()
 * ```
 */
export async function openFolder(dir: string, options: FolderOptions = {}): Promise<Folder> {
  judgeOptions('openFolder', text, dir, 'dir')
  judgeOptions('openFolder', folderRule, options)
  const root = path.resolve(dir)
  const { durability = {}, maxBytes, onReindex, onError = warn } = options
  const busClock = options.clock ?? systemClock
  const lost = Promise.withResolvers<Error>()
  void lost.promise.then(options.onLost ?? onError)
  let files: readonly FileState[]
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    refuseOthersFolder(root, await stat(root))
    files = await inspectFolder(root)
  } catch (error) {
    throw folderErrorOf(root, error)
  }
  const unlock = lockFolder(root)
  const running = new Set<Thread>()
  try {
    const secret = await readSecret(root, () => wereUsed(files))
    const blobsDir = await openBlobsFolder(root)
    for (const name of databases) await makeOwn(path.join(root, name))
    const hasReader = allowsTwoConnections(process.versions.sqlite ?? '')
    const data = {
      dir: root,
      durability: { records: durability.records ?? 'power', journals: durability.journals ?? 'process' },
      maxBytes,
      hasReader,
      boot: await bootId(),
    } as const
    const troubles = openTroubles({
      clock: systemClock,
      probe: async (role) => {
        if (role === 'blobs') await blobs.probe()
        else await (role === 'records' ? records : journals).call('probe')
      },
    })
    // Whoever asks a host whether it is ready may read it: it names no folder.
    const noteWrite = (part: string, failure: Failure | null) => {
      if (failure?.code !== 'bug') troubles.note(part, failure && sentenceOf('', failure))
    }
    const start = async (role: ThreadData['role']) => {
      const thread = await startThread(
        { ...data, role },
        {
          onNotice: ({ log }) => upkeep.grown(log),
          ...(role !== 'keeper' && {
            onWrites: (failure) => noteWrite(role, failure),
            onLost: lost.resolve,
          }),
          makeError: (failure) => errorOf(root, role, failure),
        },
      )
      running.add(thread)
      void thread.ended.then(() => running.delete(thread))
      return thread
    }
    const [records, journals] = await allStarted([start('records'), start('journals')])
    const upkeep = openUpkeep({
      clock: systemClock,
      writers: new Map([
        [path.join(root, databases[0]), records],
        [path.join(root, databases[1]), journals],
      ]),
      startKeeper: hasReader ? () => start('keeper') : null,
      onError,
    })
    const epoch = await journals.call<string>('epoch', randomBytes(6).toString('hex'))
    let users = 2
    let closing: Promise<void> | null = null
    /** The reader of records is in the thread of journals: both go when neither port needs them. */
    async function leave(): Promise<void> {
      users -= 1
      if (users > 0) return
      closing ??= closeThreads()
      await closing
    }
    async function closeThreads(): Promise<void> {
      troubles.close()
      await upkeep.close()
      await journals.close()
      await records.close()
      unlock()
    }
    const store = sqliteStore({
      writer: records,
      reader: hasReader ? journals : records,
      onReindex,
      onClose: leave,
    })
    const bus = sqliteBus({ thread: journals, clock: busClock, epoch, onError, onClose: leave })
    const blobs = fileBlobs({
      dir: blobsDir,
      clock: systemClock,
      makeError: (error) => blobErrorOf(root, error),
      onWrites: (error) => noteWrite('blobs', error === null ? null : blobFailureOf(error)),
    })
    return {
      store: { ...store, trouble: troubles.current, isExclusive: true, dir: root },
      bus,
      blobs,
      secret,
      trouble: troubles.current,
      async close() {
        await Promise.all([store.close(), bus.close(), blobs.close()])
      },
    }
  } catch (error) {
    for (const thread of running) await thread.close()
    unlock()
    throw folderErrorOf(root, error)
  }
}

/** Waits for both, so that none is left behind where the other fails. */
async function allStarted<One, Other>(starting: [Promise<One>, Promise<Other>]): Promise<[One, Other]> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

/** Makes the folders of blobs, and removes what was being written or copied when a process ended. */
async function openBlobsFolder(root: string): Promise<string> {
  const dir = path.join(root, 'blobs')
  for (const name of blobFolders) await mkdir(path.join(dir, name), { recursive: true, mode: 0o700 })
  for (const name of await readdir(path.join(dir, 'new'))) await rm(path.join(dir, 'new', name))
  if (!(await hasBlobReaders(dir, systemClock.now()))) await clearRemoved(dir)
  return dir
}

/** Whether this SQLite may have two connections to one database. */
export function allowsTwoConnections(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [at, wanted] of TWO_CONNECTIONS.entries()) {
    const part = parts[at] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error))
