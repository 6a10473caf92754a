import { limits } from '../limits/index.ts'
import { uploadTypes } from '../values/media-types.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { filename, page, visible } from './rules.ts'

const mime = z.enum(uploadTypes).describe('The media type of the file.')
const purpose = visible(limits.UPLOAD_PURPOSE_MAX_CHARS).describe('What the file is for.')

const fileRef = text(limits.NAME_MAX_CHARS)
  .min(1)
  .describe('The id of the file, as `inline` or `negotiate` returned it.')
const url = z.string().describe('Where the file can be read; public to whoever knows it.')

const listed = z.object({
  file_ref: z.string().describe('The id of the file.'),
  url: url.nullable().describe('Where it can be read; `null` until the upload is confirmed.'),
  mime: z.string().describe('Its media type.'),
  size_bytes: z.number().describe('Its size in bytes.'),
  purpose: z.string().describe('What it is for.'),
  filename: z.string().nullable().describe('Its name, where it was given one.'),
  created_at: z.string().describe('When it was made or negotiated, as ISO 8601.'),
})

/** `upload.*`: a file comes in the call itself, or by one PUT to a signed URL. */
export const upload = {
  inline: method({
    doc: 'Keeps a small file that comes with the call.',
    access: 'upload_grant',
    args: () =>
      z.object({
        bytes_b64: z.string().min(1).describe('The bytes in base64.'),
        mime,
        purpose,
        filename: filename.optional(),
      }),
    result: () => z.object({ file_ref: z.string().describe('The id of the file.'), url }),
    errors: ['quota_exceeded'],
    example:
      "const { url } = await svc.upload.inline({ bytes_b64: btoa('a,b'), mime: 'text/csv', purpose: 'export' })",
  }),
  negotiate: method({
    doc: 'Returns a URL that takes the bytes of a file by one PUT within ten minutes; call `confirm` after it.',
    access: 'upload_grant',
    args: () =>
      z.object({
        mime,
        purpose,
        size_bytes: z
          .int()
          .min(1)
          .max(limits.UPLOAD_MAX_BYTES)
          .describe('The exact size of the file in bytes.'),
        filename: filename.optional(),
      }),
    result: () =>
      z.object({
        upload_url: z.string().describe('Takes the raw bytes by PUT, once.'),
        file_ref: z.string().describe('What `confirm` takes.'),
      }),
    errors: ['quota_exceeded'],
    example:
      "const { upload_url, file_ref } = await svc.upload.negotiate({\n  mime: 'image/png',\n  purpose: 'attachment',\n  size_bytes: file.size,\n})\nawait fetch(upload_url, { method: 'PUT', body: file })\nconst { url } = await svc.upload.confirm({ file_ref })",
  }),
  confirm: method({
    doc: 'Makes an uploaded file readable under its url. Calling it again returns the same.',
    access: 'upload_grant',
    args: () => z.object({ file_ref: fileRef }),
    result: () =>
      z.object({
        url,
        file_ref: z.string().describe('The id of the file.'),
        mime: z.string().describe('Its media type.'),
        size_bytes: z.number().describe('Its size in bytes.'),
        purpose: z.string().describe('What it is for.'),
        filename: z.string().nullable().describe('Its name, where it was given one.'),
      }),
    errors: ['not_found'],
    example: 'const { url } = await svc.upload.confirm({ file_ref })',
  }),
  list: method({
    doc: 'Lists the files of the app in pages, oldest first; uploads under way and generated images are among them.',
    access: 'upload_grant',
    args: () => z.object(page('files')),
    result: () =>
      z.object({
        items: z.array(listed).describe('The files of this page.'),
        next_cursor: z
          .string()
          .nullable()
          .describe('What `cursor` takes for the next page; `null` after the last.'),
      }),
    example: 'const { items } = await svc.upload.list()',
  }),
  delete: method({
    doc: 'Removes a file or gives up an upload. Its url finds nothing any more, and its bytes count no longer.',
    access: 'upload_grant',
    args: () => z.object({ file_ref: fileRef }),
    result: () => z.object({ deleted: z.literal(true).describe('The file is gone.') }),
    errors: ['not_found'],
    example: 'await svc.upload.delete({ file_ref })',
  }),
}
