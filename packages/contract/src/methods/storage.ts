import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { anyObject } from './rules.ts'

const key = text(limits.STORAGE_KEY_MAX_CHARS)
  .min(1)
  .refine((value) => !value.includes('\0'), 'must not contain the character NUL')
const scope = z.enum(['app', 'shared']).default('app')
const ifMatch = z.string().optional()

/** `storage.*` (spec §4.2, decisions 29 and 32c): an additional `scope` in every method. */
export const storage = {
  get: method({
    doc: 'Reads a value.',
    access: 'declared',
    args: z.object({ key, scope }),
    result: z.object({
      value: z.unknown(),
      etag: z.string(),
      generation: z.number().optional(),
      exists: z.boolean(),
    }),
  }),
  set: method({
    doc: 'Writes a value; with if_match only over the version that the etag names, `*` over any that exists.',
    access: 'declared',
    args: z.object({
      key,
      value: z.unknown(),
      scope,
      if_match: ifMatch,
      metadata: anyObject.optional(),
      tags: z.array(text(limits.STORAGE_TAG_MAX_CHARS)).max(limits.STORAGE_TAGS_MAX).optional(),
      ttl_seconds: z.int().min(limits.STORAGE_TTL_MIN_S).max(limits.STORAGE_TTL_MAX_S).optional(),
    }),
    result: z.union([
      z.object({ etag: z.string(), generation: z.number(), size_bytes: z.number() }),
      z.object({ ok: z.literal(true) }),
    ]),
  }),
  delete: method({
    doc: 'Removes a value.',
    access: 'declared',
    args: z.object({ key, scope, if_match: ifMatch }),
    result: z.union([z.object({ deleted: z.literal(true) }), z.object({ ok: z.literal(true) })]),
  }),
  list: method({
    doc: 'Lists keys in order, a page at a time; the prefix stands for itself, there are no wildcards.',
    access: 'declared',
    args: z.object({
      prefix: text(limits.STORAGE_KEY_MAX_CHARS).optional(),
      cursor: text(16_384).nullish(),
      limit: z.int().min(1).max(limits.STORAGE_LIST_MAX).default(limits.STORAGE_LIST_DEFAULT),
      scope,
    }),
    result: z.object({
      items: z.array(
        z.object({
          key: z.string(),
          etag: z.string(),
          size_bytes: z.number(),
          metadata: anyObject.nullable(),
          tags: z.array(z.string()).nullable(),
          updated_at: z.string().nullable(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
  }),
}
