import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { type Clock, rename, syncFolder } from '@svc/node'
import { type Blobs, copyInTurns, digestInTurns } from '@svc/state'
import { StoreError } from '@svc/state/driver'
import { unlessAbsent } from '../folder/absent.ts'
import { BLOB_DIGEST, blobFile, removedFile } from '../folder/blob-files.ts'
import { hasBlobReaders } from '../folder/blob-readers.ts'
import { writeSynced } from '../folder/sync.ts'

/** What blobs in a folder are made of. */
export interface FileBlobsOptions {
  /** The folder of the blobs, which is there; `ab/cdef…` is the blob of this digest, `new/` has those being written. */
  readonly dir: string
  /** The machine's clock, which the times of files are of. */
  readonly clock: Clock
  /** Makes of an error of the file system what a caller gets. */
  readonly makeError: (error: unknown) => Error
  /** Each write: null where bytes were written, or why they, or a removal, were not. */
  readonly onWrites?: (error: unknown) => void
}

/** Bytes that are written to see whether any can be. */
const PROBE_BYTES = 65_536

/** Blobs in a folder. */
export interface FileBlobs extends Blobs {
  /** Writes some bytes and removes them; rejects where writes fail. */
  probe(): Promise<void>
}

/** Blobs as files: a blob is written beside, synced and then renamed, so that it is there whole or not at all. */
export function fileBlobs({ dir, clock, makeError, onWrites }: FileBlobsOptions): FileBlobs {
  /** One after the other for each digest. */
  const turns = new Map<string, Promise<unknown>>()
  let closed = false

  const pathOf = (digest: string) => blobFile(dir, digest)

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closed) throw new StoreError('closed', 'the blobs are closed')
    try {
      return await work()
    } catch (error) {
      throw makeError(error)
    }
  }

  function inTurn<Result>(digest: string, work: () => Promise<Result>): Promise<Result> {
    const before = turns.get(digest)
    const done = (async () => {
      await before?.catch(() => {})
      return await work()
    })()
    turns.set(digest, done)
    return done.finally(() => {
      if (turns.get(digest) === done) turns.delete(digest)
    })
  }

  /** The same, for what changes files. */
  const attemptWrite = <Result>(work: () => Promise<Result>): Promise<Result> =>
    attempt(() =>
      work().catch((error) => {
        onWrites?.(error)
        throw error
      }),
    )

  async function write(digest: string, bytes: Uint8Array): Promise<void> {
    const file = pathOf(digest)
    if (await exists(file)) {
      // Whoever wrote it may have been killed before it synced the folder.
      await syncFolder(path.dirname(file))
      return
    }
    const beside = path.join(dir, 'new', randomBytes(8).toString('hex'))
    try {
      await writeSynced(beside, bytes, 'wx')
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await rename(beside, file)
    } catch (error) {
      await unlink(beside).catch(() => {})
      throw error
    }
    await syncFolder(path.dirname(file))
    await syncFolder(dir)
    onWrites?.(null)
  }

  /** A blob that may be in a copy which is being made stays beside until that is done. */
  async function take(digest: string): Promise<true> {
    if (await hasBlobReaders(dir, clock.now())) await rename(pathOf(digest), removedFile(dir, digest))
    else await unlink(pathOf(digest))
    return true
  }

  async function slice(digest: string, from: number, to: number): Promise<Uint8Array | null> {
    const handle = await unlessAbsent(open(pathOf(digest)))
    if (!handle) return null
    try {
      const { size } = await handle.stat()
      const length = Math.max(0, Math.min(to, size) - from)
      const bytes = new Uint8Array(length)
      const { bytesRead } = await handle.read(bytes, 0, length, from)
      return bytes.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  return {
    put: (bytes) =>
      attemptWrite(async () => {
        // The copy first: its writer goes on using its buffer.
        const copy = await copyInTurns(bytes)
        const digest = await digestInTurns(copy)
        await inTurn(digest, () => write(digest, copy))
        return digest
      }),
    get: (digest) =>
      attempt(async () => (BLOB_DIGEST.test(digest) ? unlessAbsent(readFile(pathOf(digest))) : null)),
    slice: (digest, from, to) =>
      attempt(async () => (BLOB_DIGEST.test(digest) ? slice(digest, from, to) : null)),
    remove: (digest) =>
      attemptWrite(async () => {
        if (!BLOB_DIGEST.test(digest)) return false
        return (await inTurn(digest, () => unlessAbsent(take(digest)))) ?? false
      }),
    probe: () =>
      attemptWrite(async () => {
        const file = path.join(dir, 'new', randomBytes(8).toString('hex'))
        try {
          await writeSynced(file, Buffer.alloc(PROBE_BYTES), 'wx')
        } finally {
          await rm(file, { force: true })
        }
        onWrites?.(null)
      }),
    async close() {
      closed = true
      while (turns.size > 0) await Promise.allSettled(turns.values())
    },
  }
}

async function exists(file: string): Promise<boolean> {
  const handle = await unlessAbsent(open(file))
  await handle?.close()
  return handle !== null
}
