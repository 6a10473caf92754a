import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { anyObject, page } from './rules.ts'

const key = text(limits.STORAGE_KEY_MAX_CHARS)
  .min(1)
  .refine((value) => !value.includes('\0'), 'must not contain the character NUL')
  .describe('The key.')
const scope = z
  .enum(['app', 'shared'])
  .default('app')
  .describe('`shared`: the values that all users of the app share, where its install grants that scope.')
const ifMatch = z
  .string()
  .optional()
  .describe('The etag that the stored value must have; `*`: any, but it must exist. Left out: no condition.')
const etag = z.string().describe('Names this version of the value; what `if_match` takes.')
const generation = z.number().describe('Counts the writes of the key.')
const windowState = z
  .literal(true)
  .optional()
  .describe('Only where the host keeps storage in the state of the window.')
const sizeBytes = z.number().describe('The size of the value as JSON, in bytes.')

/** `storage.*`: an additional `scope` in every method. */
export const storage = {
  get: method({
    doc: 'Reads a value and the etag that names this version of it.',
    access: 'declared',
    effect: 'read',
    args: () => z.object({ key, scope }),
    result: () =>
      z.object({
        value: z.unknown().describe('The value.'),
        etag,
        generation,
        exists: z.boolean().describe('Always true: a key without a value is `not_found`.'),
      }),
    errors: ['not_found'],
    example: "const { value, etag } = await svc.storage.get({ key: 'settings' })",
  }),
  set: method({
    doc: 'Writes a value and returns its etag. With if_match it writes only if nobody has changed the value since. Keys and bytes of an app and of a user are capped (`quota_exceeded`).',
    access: 'declared',
    effect: 'write',
    verbatim: ['value'],
    args: () =>
      z.object({
        key,
        value: z.unknown().describe('Any JSON.'),
        scope,
        if_match: ifMatch,
        metadata: anyObject.optional().describe('JSON that `list` returns with the key.'),
        tags: z
          .array(text(limits.STORAGE_TAG_MAX_CHARS))
          .max(limits.STORAGE_TAGS_MAX)
          .optional()
          .describe('Texts that `list` returns with the key.'),
        ttl_seconds: z
          .int()
          .min(limits.STORAGE_TTL_MIN_S)
          .max(limits.STORAGE_TTL_MAX_S)
          .optional()
          .describe('Seconds until the value is removed.'),
      }),
    result: () => z.object({ etag, generation, size_bytes: sizeBytes, ok: windowState }),
    errors: ['precondition_failed', 'quota_exceeded', 'state_too_large'],
    example: `const { value, etag } = await svc.storage.get({ key: 'note' })
try {
  await svc.storage.set({ key: 'note', value: edited, if_match: etag })
} catch (error) {
  if (!isHostRpcError(error) || error.code !== 'precondition_failed') throw error
  showConflict()
}`,
  }),
  delete: method({
    doc: 'Removes a value.',
    access: 'declared',
    effect: 'write',
    args: () => z.object({ key, scope, if_match: ifMatch }),
    result: () => z.object({ deleted: z.literal(true).describe('It is gone.'), ok: windowState }),
    errors: ['not_found', 'precondition_failed'],
    example: "await svc.storage.delete({ key: 'note' })",
  }),
  list: method({
    doc: 'Lists keys in order, a page at a time.',
    access: 'declared',
    effect: 'read',
    args: () =>
      z.object({
        prefix: text(limits.STORAGE_KEY_MAX_CHARS)
          .optional()
          .describe('What the keys begin with; there are no wildcards.'),
        ...page('keys'),
        scope,
      }),
    result: () =>
      z.object({
        items: z
          .array(
            z.object({
              key: z.string().describe('The key.'),
              etag,
              size_bytes: sizeBytes,
              metadata: anyObject.nullable().describe('What it was written with.'),
              tags: z.array(z.string()).nullable().describe('What it was written with.'),
              updated_at: z.string().nullable().describe('When it was written last, RFC 3339 in UTC.'),
            }),
          )
          .describe(
            'The keys of this page: fewer than `limit` where their metadata is large, perhaps none where many values have run out.',
          ),
        next_cursor: z
          .string()
          .nullable()
          .describe('What `cursor` takes for the next page; `null` after the last.'),
      }),
    example: "const { items, next_cursor } = await svc.storage.list({ prefix: 'notes/' })",
  }),
}
