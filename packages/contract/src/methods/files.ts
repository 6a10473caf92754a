import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { isPathPart } from './rules.ts'

const path = text(limits.APP_FILE_PATH_MAX_CHARS)
  .min(1)
  .refine(
    (value) => value.split('/').every(isPathPart),
    'must be names joined by single slashes, without backslashes and control characters, none of them . or ..',
  )
const scope = z.enum(['app', 'shared']).default('app')
const ifMatch = z.string().optional()

const mime = text(limits.APP_FILE_MIME_MAX_CHARS).regex(
  /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/,
  'must be a media type in lower case without parameters, such as text/csv',
)

const entry = z.object({
  path: z.string(),
  mime: z.string(),
  size_bytes: z.number(),
  etag: z.string(),
  generation: z.number(),
  updated_at: z.string(),
})

/** `files.*` (spec §4.2, design §9): bytes under a path, for the app alone; scopes and etags as in `storage.*`. */
export const files = {
  list: method({
    doc: 'Lists files in the order of their paths, a page at a time; the prefix stands for itself, there are no wildcards.',
    access: 'declared',
    args: z.object({
      prefix: text(limits.APP_FILE_PATH_MAX_CHARS).optional(),
      cursor: text(16_384).nullish(),
      limit: z.int().min(1).max(limits.STORAGE_LIST_MAX).default(limits.STORAGE_LIST_DEFAULT),
      scope,
    }),
    result: z.object({ items: z.array(entry), next_cursor: z.string().nullable() }),
  }),
  read: method({
    doc: 'Reads a file in the form that it was written in, text or bytes_b64, or in the form that `as` asks for.',
    access: 'declared',
    args: z.object({ path, scope, as: z.enum(['text', 'bytes_b64']).optional() }),
    result: entry.extend({ text: z.string().optional(), bytes_b64: z.string().optional() }),
  }),
  write: method({
    doc: 'Writes a whole file from text or from bytes_b64; with if_match only over the version that the etag names, `*` over any that exists.',
    access: 'declared',
    args: z
      .object({
        path,
        text: z.string().optional(),
        bytes_b64: z.string().optional(),
        /** Without it text is `text/plain`, and bytes are `application/octet-stream`. */
        mime: mime.optional(),
        scope,
        if_match: ifMatch,
      })
      .refine(
        (args) => (args.text === undefined) !== (args.bytes_b64 === undefined),
        'must have either text or bytes_b64',
      ),
    result: z.object({ etag: z.string(), generation: z.number(), size_bytes: z.number() }),
  }),
  delete: method({
    doc: 'Removes a file.',
    access: 'declared',
    args: z.object({ path, scope, if_match: ifMatch }),
    result: z.object({ deleted: z.literal(true) }),
  }),
  stat: method({
    doc: 'Tells of a file without its bytes.',
    access: 'declared',
    args: z.object({ path, scope }),
    result: entry,
  }),
}
