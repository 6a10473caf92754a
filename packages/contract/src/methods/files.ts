import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { isPathPart, page } from './rules.ts'

const path = text(limits.APP_FILE_PATH_MAX_CHARS)
  .min(1)
  .refine(
    (value) => value.split('/').every(isPathPart),
    'must be names joined by single slashes, without backslashes and control characters, none of them . or ..',
  )
  .describe('The path: names joined by single slashes.')
const scope = z
  .enum(['app', 'shared'])
  .default('app')
  .describe('`shared`: the files that all users of the app share, where its install grants that scope.')
const ifMatch = z
  .string()
  .optional()
  .describe('The etag that the file must have; `*`: any, but it must exist. Left out: no condition.')
const etag = z.string().describe('Changes with every write; what `if_match` takes.')
const generation = z.number().describe('Counts the writes of the path.')
const sizeBytes = z.number().describe('The size of the file in bytes.')

const mime = text(limits.APP_FILE_MIME_MAX_CHARS).regex(
  /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/,
  'must be a media type in lower case without parameters, such as text/csv',
)

/** What is known of a file without its bytes. */
export const entry = z
  .object({
    path: z.string().describe('The path.'),
    mime: z.string().describe('Its media type.'),
    size_bytes: sizeBytes,
    etag,
    generation,
    updated_at: z.string().describe('When it was written last, RFC 3339 in UTC.'),
  })
  .describe('A file without its bytes.')

/** `files.*`: bytes under a path, for the app alone; scopes and etags as in `storage.*`. */
export const files = {
  list: method({
    doc: 'Lists files in the order of their paths, a page at a time.',
    access: 'declared',
    effect: 'read',
    args: () =>
      z.object({
        prefix: text(limits.APP_FILE_PATH_MAX_CHARS)
          .optional()
          .describe('What the paths begin with; there are no wildcards.'),
        ...page('files'),
        scope,
      }),
    result: () =>
      z.object({
        items: z.array(entry).describe('The files of this page.'),
        next_cursor: z
          .string()
          .nullable()
          .describe('What `cursor` takes for the next page; `null` after the last.'),
      }),
    example: "const { items } = await svc.files.list({ prefix: 'reports/' })",
  }),
  read: method({
    doc: 'Reads a file, as text or as bytes.',
    access: 'declared',
    effect: 'read',
    args: () =>
      z.object({
        path,
        scope,
        as: z
          .enum(['text', 'bytes_b64'])
          .optional()
          .describe('The form that is wanted. Left out: as it was written.'),
      }),
    result: () =>
      entry.extend({
        text: z.string().optional().describe('The text, in that form.'),
        bytes_b64: z.string().optional().describe('The bytes in base64, in that form.'),
      }),
    errors: ['not_found'],
    example: "const { text } = await svc.files.read({ path: 'reports/may.csv' })",
  }),
  write: method({
    doc: 'Writes a whole file from text or from bytes_b64. With if_match it writes only if nobody has changed the file since.',
    access: 'declared',
    effect: 'write',
    args: () =>
      z
        .object({
          path,
          text: z.string().optional().describe('The whole text; either this or `bytes_b64`.'),
          bytes_b64: z.string().optional().describe('The whole file in base64.'),
          mime: mime
            .optional()
            .describe(
              'Its media type. Left out: `text/plain` for text, `application/octet-stream` for bytes.',
            ),
          scope,
          if_match: ifMatch,
        })
        .refine(
          (args) => (args.text === undefined) !== (args.bytes_b64 === undefined),
          'must have either text or bytes_b64',
        ),
    result: () => z.object({ etag, generation, size_bytes: sizeBytes }),
    errors: ['precondition_failed', 'quota_exceeded'],
    example:
      "const { etag } = await svc.files.write({ path: 'reports/may.csv', text: 'a,b', mime: 'text/csv' })",
  }),
  delete: method({
    doc: 'Removes a file.',
    access: 'declared',
    effect: 'write',
    args: () => z.object({ path, scope, if_match: ifMatch }),
    result: () => z.object({ deleted: z.literal(true).describe('It is gone.') }),
    errors: ['not_found', 'precondition_failed'],
    example: "await svc.files.delete({ path: 'reports/may.csv' })",
  }),
  stat: method({
    doc: 'Reads what is known of a file, without its bytes.',
    access: 'declared',
    effect: 'read',
    args: () => z.object({ path, scope }),
    result: entry,
    errors: ['not_found'],
    example: "const { size_bytes, etag } = await svc.files.stat({ path: 'reports/may.csv' })",
  }),
}
