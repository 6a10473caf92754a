import { limits } from '../limits/index.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { visible } from './rules.ts'

/** `web.*`: the host reads the web for an app, under its rule for URLs that users give. */
export const web = {
  fetch: method({
    doc: 'Reads a public https:// URL by GET, as text or as bytes. What is too large is refused, never cut off.',
    access: 'web_grant',
    rate: 'costly',
    slow: true,
    args: () =>
      z.object({
        url: z.string().min(1).describe('A public https:// URL.'),
        method: z.literal('GET').default('GET').describe('GET only.'),
      }),
    result: () =>
      z.object({
        url: z.string().describe('The URL that was read, after redirects.'),
        mime: z
          .string()
          .describe('The media type that the server named, without parameters; empty where it named none.'),
        size_bytes: z.number().describe('The size of what was read, in bytes.'),
        text: z.string().optional().describe('The text, where it is text.'),
        bytes_b64: z.string().optional().describe('The bytes in base64, where it is not text.'),
      }),
    errors: ['rate_limited', 'quota_exceeded'],
    example: "const { text } = await svc.web.fetch({ url: 'https://example.org/data.csv' })",
  }),
  search: method({
    doc: 'Searches the web, best result first. Offered where the operator configured a search engine.',
    access: 'web_grant',
    rate: 'costly',
    slow: true,
    args: () =>
      z.object({
        query: visible(limits.WEB_QUERY_MAX_CHARS).describe('What to search for.'),
        limit: z
          .int()
          .min(1)
          .max(limits.WEB_RESULTS_MAX)
          .default(limits.WEB_RESULTS_DEFAULT)
          .describe('The most results to return.'),
      }),
    result: () =>
      z.object({
        results: z
          .array(
            z.object({
              title: z.string().describe('The title of the page.'),
              url: z.string().describe('Its address.'),
              snippet: z.string().describe('A part of its text.'),
            }),
          )
          .describe('The results, best first.'),
      }),
    errors: ['not_implemented', 'rate_limited', 'quota_exceeded'],
    example: "const { results } = await svc.web.search({ query: 'svc apps', limit: 5 })",
  }),
}
