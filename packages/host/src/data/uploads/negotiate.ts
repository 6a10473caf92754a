import type { AccessServices } from '../../access/services.ts'
import { paths } from '../../kernel/request/paths.ts'
import type { FileOwner, FileParts, FileRow } from './file-row.ts'
import { makeRoom } from './make-room.ts'

/**
 * Makes room for an upload and returns the URL that takes it: absolute, signed, good for `UPLOAD_URL_TTL_MS`.
 * Errors: `quota_exceeded`.
 */
export async function negotiate(
  parts: FileParts & Pick<AccessServices, 'tokens'>,
  { userId, appId }: FileOwner,
  told: Pick<FileRow, 'mime' | 'purpose' | 'filename' | 'size_bytes'>,
  origin: string,
): Promise<{ upload_url: string; file_ref: string }> {
  const owner = { user_id: userId, app_id: appId }
  const { id } = await makeRoom(parts, { ...owner, ...told, digest: null, state: 'waiting' })
  const sig = await parts.tokens.mint('upload', { file_ref: id }, parts.limits.UPLOAD_URL_TTL_MS)
  return { upload_url: `${origin}${paths.uploads}${id}?sig=${sig}`, file_ref: id }
}
