import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'

/** What a list is searched for; left out, or without a word, nothing. */
export const search = text(limits.SEARCH_MAX_CHARS)
  .optional()
  .describe('Words that must all be in what the list shows of an entry; case and accents make no difference.')

/** Which page of a list is asked for: a page may have fewer entries than `limit`, also none, and not be the last. */
export const listQuery = (preset: number, max: number) =>
  z.object({
    search,
    limit: z.int().min(1).max(max).default(preset),
    cursor: z.string().optional().describe('The `next_cursor` of the page before.'),
  })

/** What the next page is asked with; null after the last. */
export const next_cursor = z.string().nullable()
