import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { visible } from './rules.ts'

/** `web.*` (spec §4.2, design §9): the host reads the web for an app, under its rule for URLs that users give. */
export const web = {
  fetch: method({
    doc: 'Reads a public https:// URL by GET: as text where it is text, else as bytes_b64. Past the cap it is refused, never cut.',
    access: 'web_grant',
    slow: true,
    args: z.object({
      url: z.string().min(1),
      method: z.literal('GET').default('GET'),
    }),
    result: z.object({
      url: z.string(),
      /** The media type that the server named, without parameters; empty where it named none. */
      mime: z.string(),
      size_bytes: z.number(),
      text: z.string().optional(),
      bytes_b64: z.string().optional(),
    }),
  }),
  search: method({
    doc: 'Searches the web, best result first. Offered where the operator configured a search.',
    access: 'web_grant',
    slow: true,
    args: z.object({
      query: visible(limits.WEB_QUERY_MAX_CHARS),
      limit: z.int().min(1).max(limits.WEB_RESULTS_MAX).default(limits.WEB_RESULTS_DEFAULT),
    }),
    result: z.object({
      results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
    }),
  }),
}
