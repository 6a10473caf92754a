import { refuse, wrongArg } from '@svc/contract'
import { decodeBase64 } from '../../kernel/base64.ts'
import { isOfType } from '../../kernel/media.ts'
import type { FileOwner, FileParts, FileRecord } from './file.ts'
import { keepFile, type WholeFile } from './keep.ts'

/** A file that comes as base64. */
export interface InlineFile extends Omit<WholeFile, 'bytes'> {
  readonly bytes_b64: string
}

/** Keeps a file that comes in a call. Errors: `invalid_arg`, `quota_exceeded`. */
export async function keepInline(
  parts: FileParts,
  owner: FileOwner,
  { bytes_b64, ...rest }: InlineFile,
): Promise<FileRecord> {
  const max = parts.limits.UPLOAD_INLINE_MAX_BYTES
  const bytes = decodeBase64(bytes_b64)
  if (!bytes) throw wrongArg('bytes_b64', 'must be base64 text with its padding')
  if (bytes.length > max)
    throw wrongArg('bytes_b64', `must hold at most ${max} bytes, got ${bytes.length}`, {
      hint: 'Larger files go by upload.negotiate.',
    })
  if (!isOfType(rest.mime, bytes))
    throw refuse('invalid_arg', `the bytes of bytes_b64 are not ${rest.mime}`, { path: 'bytes_b64' })
  return keepFile(parts, owner, { bytes, ...rest })
}
