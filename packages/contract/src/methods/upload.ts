import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { uploadTypes } from '../media-types.ts'
import { text } from '../text.ts'
import { filename, visible } from './rules.ts'

const mime = z.enum(uploadTypes)
const purpose = visible(limits.UPLOAD_PURPOSE_MAX_CHARS)

const fileRef = text(limits.NAME_MAX_CHARS).min(1)

/** `upload.*` (spec §4.2): a file comes in the call itself, or by one PUT to a signed URL. */
export const upload = {
  inline: method({
    doc: 'Keeps a small file that comes with the call as base64. The url is public to whoever knows it.',
    access: 'upload_grant',
    args: z.object({ bytes_b64: z.string().min(1), mime, purpose, filename: filename.optional() }),
    result: z.object({ file_ref: z.string(), url: z.string() }),
  }),
  negotiate: method({
    doc: 'Answers a URL that takes exactly size_bytes raw bytes by one PUT within ten minutes; then confirm.',
    access: 'upload_grant',
    args: z.object({
      mime,
      purpose,
      size_bytes: z.int().min(1).max(limits.UPLOAD_MAX_BYTES),
      filename: filename.optional(),
    }),
    result: z.object({ upload_url: z.string(), file_ref: z.string() }),
  }),
  confirm: method({
    doc: 'Makes an uploaded file readable under its url. A second time answers the same.',
    access: 'upload_grant',
    args: z.object({ file_ref: fileRef }),
    result: z.object({
      url: z.string(),
      file_ref: z.string(),
      mime: z.string(),
      size_bytes: z.number(),
      purpose: z.string(),
      filename: z.string().nullable(),
    }),
  }),
}
