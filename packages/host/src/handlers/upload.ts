import { type Handlers, refuse } from '@svc/contract'
import { decodeBase64 } from '../base64.ts'
import { confirmFile } from '../uploads/confirm.ts'
import { keepFile } from '../uploads/keep.ts'
import { isOfType } from '../uploads/media.ts'
import { negotiate } from '../uploads/negotiate.ts'
import { fileUrl, ownerOf } from './caller-files.ts'
import type { CallContext } from './context.ts'

/** Handlers of `upload.*` (spec §4.2, design §9). */
export const upload: Handlers<'upload', CallContext> = {
  async inline({ bytes_b64, mime, purpose, filename = null }, context) {
    const max = context.house.limits.UPLOAD_INLINE_MAX_BYTES
    const bytes = decodeBase64(bytes_b64)
    if (!bytes) throw refuse('invalid_arg', 'bytes_b64 must be base64 text with its padding')
    if (bytes.length > max)
      throw refuse('invalid_arg', `bytes_b64 must hold at most ${max} bytes, got ${bytes.length}`, {
        hint: 'Larger files go by upload.negotiate.',
      })
    if (!isOfType(mime, bytes)) throw refuse('invalid_arg', `the bytes of bytes_b64 are no ${mime}`)
    const { id } = await keepFile(context.house, ownerOf(context), { bytes, mime, purpose, filename })
    return { file_ref: id, url: fileUrl(context, id) }
  },

  negotiate: ({ mime, purpose, size_bytes, filename = null }, context) =>
    negotiate(context.house, ownerOf(context), { mime, purpose, size_bytes, filename }, context.origin),

  async confirm({ file_ref }, context) {
    const { mime, size_bytes, purpose, filename } = await confirmFile(
      context.house,
      ownerOf(context),
      file_ref,
    )
    return { url: fileUrl(context, file_ref), file_ref, mime, size_bytes, purpose, filename }
  },
}
