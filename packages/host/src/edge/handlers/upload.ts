import type { Handlers } from '@svc/contract'
import { deleteFile } from '../../data/uploads/drop.ts'
import { confirmFile, fileUrl, listFiles, noSuchFile, ownerOf, ownFile } from '../../data/uploads/file.ts'
import { keepInline, negotiate } from '../../data/uploads/keep.ts'
import type { CallContext } from './context.ts'

/** Handlers of `upload.*`. */
export const upload: Handlers<'upload', CallContext> = {
  async inline({ bytes_b64, mime, purpose, filename = null }, context) {
    const file = { bytes_b64, mime, purpose, filename }
    const { id } = await keepInline(context.services, ownerOf(context), file)
    return { file_ref: id, url: fileUrl(context, id) }
  },

  negotiate: ({ mime, purpose, size_bytes, filename = null }, context) =>
    negotiate(context.services, ownerOf(context), { mime, purpose, size_bytes, filename }, context.origin),

  async confirm({ file_ref }, context) {
    const { mime, size_bytes, purpose, filename } = await confirmFile(
      context.services,
      ownerOf(context),
      file_ref,
    )
    return { url: fileUrl(context, file_ref), file_ref, mime, size_bytes, purpose, filename }
  },

  async list({ cursor, limit }, context) {
    const { rows, next } = await listFiles(context.services, ownerOf(context), {
      after: cursor ?? null,
      limit,
    })
    return {
      items: rows.map(({ id, row: { state, mime, size_bytes, purpose, filename, created_at } }) => ({
        file_ref: id,
        url: state === 'ready' ? fileUrl(context, id) : null,
        mime,
        size_bytes,
        purpose,
        filename,
        created_at: new Date(created_at).toISOString(),
      })),
      next_cursor: next,
    }
  },

  async delete({ file_ref }, context) {
    await ownFile(context.services, ownerOf(context), file_ref)
    if (!(await deleteFile(context.services, file_ref))) throw noSuchFile(file_ref)
    return { deleted: true }
  },
}
