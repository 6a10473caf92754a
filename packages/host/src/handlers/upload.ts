import type { Handlers } from '@svc/contract'
import { confirmFile } from '../uploads/confirm.ts'
import { keepInline } from '../uploads/inline.ts'
import { negotiate } from '../uploads/negotiate.ts'
import { fileUrl, ownerOf } from './caller-files.ts'
import type { CallContext } from './context.ts'

/** Handlers of `upload.*` (spec §4.2, design §9). */
export const upload: Handlers<'upload', CallContext> = {
  async inline({ bytes_b64, mime, purpose, filename = null }, context) {
    const file = { bytes_b64, mime, purpose, filename }
    const { id } = await keepInline(context.house, ownerOf(context), file)
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
