import type { FileHandle } from 'node:fs/promises'
import { decodePart } from '@svc/state/driver'
import { ArchiveError, type Piece, type Pieces } from '@svc/state/portable'
import { openBlob } from '../folder/blob-files.ts'
import type { Stored } from '../threads/record-reads.ts'
import type { SnapshotCollection, SnapshotItem, SnapshotJournal } from '../threads/snapshot.ts'
import { folderErrorOf } from './errors.ts'
import { type SnapshotParts, snapshotFolder } from './snapshot-folder.ts'

/** A folder as it was when it was read. */
export interface FolderSnapshot {
  /** How many pieces there are, about. */
  readonly total: number
  /** The state as it was; for one reader. Throws `FolderError` and `ArchiveError` where something in it is damaged. */
  readonly pieces: Pieces
  /** Lets the folder go; twice is harmless. */
  close(): Promise<void>
}

/**
 * Opens a consistent snapshot of a data folder, while another process may go on writing to it. Throws `FolderError`.
 *
 * @example
 * ```ts
 * const snapshot = await readFolder('./svc-data')
 * await pipeline(writeState(snapshot.pieces), createWriteStream('backup.tar', { mode: 0o600 }))
 * await snapshot.close()
 * ```
 */
export async function readFolder(dir: string): Promise<FolderSnapshot> {
  const parts = await snapshotFolder(dir)
  try {
    const total = (await parts.thread.call<number>('total')) + parts.blobs.length
    return { total, pieces: piecesOf(parts), close: parts.close }
  } catch (error) {
    await parts.close()
    throw error
  }
}

async function* piecesOf(parts: SnapshotParts): AsyncGenerator<Piece> {
  yield { kind: 'state', revision: await parts.thread.call<number>('revision') }
  yield* recordsOf(parts)
  yield* journalsOf(parts)
  for (const digest of parts.blobs) yield* blobOf(parts, digest)
  yield { kind: 'secret', secret: parts.secret }
}

async function* recordsOf({ thread }: SnapshotParts): AsyncGenerator<Piece> {
  const collections = await thread.call<SnapshotCollection[]>('collections')
  for (const { n, name } of collections.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (let after = ''; ; ) {
      const rows = await thread.call<Stored[]>('records', n, after)
      for (const [id, revision, row] of rows)
        yield { kind: 'record', collection: name, id: decodePart(id) as string, revision, row }
      const last = rows.at(-1)
      if (!last) break
      after = last[0]
    }
  }
}

async function* journalsOf({ thread }: SnapshotParts): AsyncGenerator<Piece> {
  for (let after = ''; ; ) {
    const journals = await thread.call<SnapshotJournal[]>('journals', after)
    for (const { n, name, first, tail } of journals) {
      yield { kind: 'journal', journal: decodePart(name) as string, first, tail }
      for (let seq = first; seq <= tail; ) {
        const items = await thread.call<SnapshotItem[]>('items', n, seq)
        for (const item of items) yield { kind: 'item', ...item }
        const last = items.at(-1)
        // A hole: the order of the pieces says so.
        if (!last) break
        seq = last.seq + 1
      }
    }
    const last = journals.at(-1)
    if (!last) return
    after = last.name
  }
}

async function* blobOf({ root, blobsDir }: SnapshotParts, digest: string): AsyncGenerator<Piece> {
  const handle = await openBlob(blobsDir, digest)
  if (!handle)
    throw new ArchiveError('damaged', `the blob ${digest} was removed while it was copied`, {
      hint: 'Try again.',
    })
  try {
    const { size } = await handle.stat()
    yield { kind: 'blob', digest, size, bytes: bytesOf(handle, root) }
  } finally {
    await handle.close()
  }
}

async function* bytesOf(handle: FileHandle, root: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false })) yield chunk as Uint8Array
  } catch (error) {
    throw folderErrorOf(root, error)
  }
}
