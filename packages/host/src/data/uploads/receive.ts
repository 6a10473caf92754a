import { refuse } from '@svc/contract'
import { file } from '@svc/contract/states'
import { digestOf } from '@svc/state'
import type { AccessServices } from '../../access/services.ts'
import { isOfType } from '../../kernel/media.ts'
import { type FileParts, type FileRecord, type FileRow, files, isLapsed, moveFile } from './file.ts'
import { putBytes } from './keep.ts'

/** A PUT as its route sees it. */
export interface UploadPut {
  readonly sig: string
  /** Refuses a head that names another media type. */
  checkType(mime: string): void
  /** Reads the body, of at most so many bytes. */
  read(maxBytes: number): Promise<Buffer>
}

/** Takes the raw bytes of an upload. */
export type Receive = (fileRef: string, put: UploadPut) => Promise<Pick<FileRow, 'size_bytes'>>

/**
 * Opens the receiver of uploads. What is wrong leaves the upload open for another try within its time; bytes that
 * are taken are taken once. Errors: `invalid_token` (signature or time), `conflict` (bytes are there or under way),
 * `invalid_arg` (size, type).
 */
export function openReceiver(parts: FileParts & Pick<AccessServices, 'tokens' | 'users'>): Receive {
  const { clock, limits, store, tokens, users } = parts
  /** One body at a time of each upload: nobody fills the memory with one signature. */
  const underWay = new Set<string>()

  return async (fileRef, { sig, checkType, read }) => {
    const claims = await tokens.verify('upload', sig)
    const record = claims?.file_ref === fileRef ? await store.get(files, fileRef) : null
    if (!record || record.row.state === 'gone' || isLapsed(record.row, clock.now())) throw lapsed()
    if (!(await users.active(record.row.user_id))) throw lapsed()
    checkType(record.row.mime)
    if (!file.next(record.row.state, 'claim')) throw taken('has its bytes already')
    if (underWay.has(fileRef)) throw taken('is receiving its bytes now')
    underWay.add(fileRef)
    try {
      const bytes = await read(record.row.size_bytes)
      await take(record, bytes)
      return { size_bytes: bytes.length }
    } finally {
      underWay.delete(fileRef)
    }
  }

  async function take({ id, row }: FileRecord, bytes: Buffer): Promise<void> {
    if (bytes.length !== row.size_bytes)
      throw wrong(`the body must have the ${row.size_bytes} bytes that were negotiated, got ${bytes.length}`)
    if (!isOfType(row.mime, bytes)) throw wrong(`the bytes are not ${row.mime}`)
    const digest = digestOf(bytes)
    const claimed = await moveFile(store, id, 'claim', (now) => {
      if (now.state === 'waiting' && isLapsed(now, clock.now())) throw lapsed()
      if (now.digest !== null && now.digest !== digest)
        throw taken('has already started to receive other bytes')
      return { digest, due_at: clock.now() + limits.UPLOAD_CONFIRM_MS }
    })
    if (!claimed || !(await putBytes(parts, id, digest, bytes, 'store'))) throw taken('has its bytes already')
  }
}

const lapsed = () =>
  refuse('invalid_token', 'sig does not belong to this upload, or the upload has expired', {
    hint: 'Ask upload.negotiate for a new URL.',
  })
const taken = (why: string) => refuse('conflict', `the upload ${why}; it accepts one PUT`)
const wrong = (message: string) => refuse('invalid_arg', message)
