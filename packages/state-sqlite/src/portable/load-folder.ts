import { lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { rename, syncFolder } from '@svc/node'
import { encodePart } from '@svc/state/driver'
import { type BlobPiece, inOrder, type Piece, type Pieces } from '@svc/state/portable'
import { unlessAbsent } from '../folder/absent.ts'
import { blobFile } from '../folder/blob-files.ts'
import { FolderError } from '../folder/folder-error.ts'
import { databases, refuseForeign } from '../folder/inspect.ts'
import { lockFolder } from '../folder/lock.ts'
import { refuseOthersFolder } from '../folder/owner.ts'
import { writeSecret } from '../folder/secret.ts'
import { makeOwn, writeSynced } from '../folder/sync.ts'
import { startThread, type Thread } from '../folder/thread.ts'
import type { LoadedJournal } from '../threads/load.ts'
import type { Stored } from '../threads/record-reads.ts'
import type { SnapshotItem } from '../threads/snapshot.ts'
import { failureError, folderErrorOf } from './errors.ts'

/** What goes to the thread at once: lines, and bytes of text unless one alone has more. */
const BATCH_LINES = 500
const BATCH_BYTES = 1_048_576

/**
 * Makes a data folder of pieces, in a folder beside it that is renamed once all of it is on the disk: it is there whole or
 * not at all. Pages are told to read journals again, and records are put into indexes when a host first uses them.
 * Throws `FolderError` where the folder is not empty or cannot be written, and what the pieces throw.
 */
export async function loadFolder(dir: string, pieces: Pieces): Promise<void> {
  const root = path.resolve(dir)
  const beside = `${root}.importing`
  try {
    await refuseFull(root)
    await mkdir(beside, { recursive: true, mode: 0o700 })
    // One that is there may be what a killed import left, or what somebody else has laid out.
    const found = await lstat(beside)
    if (!found.isDirectory())
      throw new FolderError('not_usable', `${beside} is in the way`, 'Remove it, or choose another folder.')
    refuseOthersFolder(beside, found)
    await refuseForeign(beside)
    const unlock = lockFolder(beside)
    try {
      await empty(beside)
      await fill(beside, pieces)
      // Windows renames no folder in which a file is open.
      if (process.platform === 'win32') unlock()
      await moveInto(root, beside)
    } catch (error) {
      await rm(beside, { recursive: true, force: true })
      throw error
    } finally {
      unlock()
    }
    for (const name of await readdir(root)) if (isLock(name)) await rm(path.join(root, name))
  } catch (error) {
    throw folderErrorOf(root, error)
  }
}

/** Puts a folder that is complete in the place of an empty one, or of none. */
async function moveInto(root: string, beside: string): Promise<void> {
  await refuseFull(root)
  await unlessAbsent(rmdir(root))
  await syncFolder(beside)
  await rename(beside, root)
  await syncFolder(path.dirname(root))
}

async function refuseFull(root: string): Promise<void> {
  const [name] = (await unlessAbsent(readdir(root))) ?? []
  if (name === undefined) return
  throw new FolderError(
    'not_usable',
    `the folder ${root} is not empty: it holds ${name}`,
    'Choose an empty folder, or one that is not there yet; nothing is overwritten.',
  )
}

const isLock = (name: string) => name.startsWith('lock.')

/** Removes what an import left that was killed. */
async function empty(dir: string): Promise<void> {
  for (const name of await readdir(dir))
    if (!isLock(name)) await rm(path.join(dir, name), { recursive: true })
}

async function fill(dir: string, pieces: Pieces): Promise<void> {
  const data = { role: 'loader', dir, hasReader: true, boot: null } as const
  const durability = { records: 'process', journals: 'process' } as const
  for (const name of databases) await makeOwn(path.join(dir, name))
  const thread = await startThread(
    { ...data, durability },
    { makeError: (failure) => failureError(dir, failure) },
  )
  try {
    const batch = openBatch(thread)
    const folders = new Set<string>()
    for await (const piece of inOrder(pieces)) {
      await batch.add(piece)
      if (piece.kind === 'state') await thread.call('setRevision', piece.revision)
      if (piece.kind === 'blob') folders.add(await writeBlob(path.join(dir, 'blobs'), piece))
      if (piece.kind === 'secret') await writeSecret(dir, piece.secret)
    }
    await batch.flush()
    await thread.call('sync')
    for (const folder of folders) await syncFolder(folder)
    if (folders.size > 0) await syncFolder(path.join(dir, 'blobs'))
  } finally {
    await thread.close()
  }
}

/** Gathers pieces of one kind on their way to the thread. */
function openBatch(thread: Thread) {
  let collection = ''
  let rows: Stored[] = []
  let lines: (LoadedJournal | SnapshotItem)[] = []
  let bytes = 0

  async function flush(): Promise<void> {
    if (rows.length > 0) await thread.call('addRecords', collection, rows)
    if (lines.length > 0) await thread.call('addJournals', lines)
    rows = []
    lines = []
    bytes = 0
  }

  return {
    flush,
    async add(piece: Piece): Promise<void> {
      const isOther = piece.kind === 'record' && piece.collection !== collection
      if (isOther || bytes > BATCH_BYTES || rows.length + lines.length >= BATCH_LINES) await flush()
      if (piece.kind === 'record') {
        collection = piece.collection
        rows.push([encodePart(piece.id), piece.revision, piece.row])
        bytes += piece.row.length
      }
      if (piece.kind === 'journal')
        lines.push({ name: encodePart(piece.journal), first: piece.first, tail: piece.tail })
      if (piece.kind === 'item') {
        lines.push({ seq: piece.seq, at: piece.at, item: piece.item })
        bytes += piece.item.length
      }
    },
  }
}

/** Writes a blob; returns its folder. */
async function writeBlob(dir: string, { digest, bytes }: BlobPiece): Promise<string> {
  const file = blobFile(dir, digest)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeSynced(file, bytes, 'wx')
  return path.dirname(file)
}
