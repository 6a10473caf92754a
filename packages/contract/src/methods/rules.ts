import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import { visibleTitle } from '../values/visible-text.ts'
import * as z from '../values/zod.ts'

/** Text with something to see in it: white space and characters that nobody sees are refused alone. */
export const visible = (maxChars: number) =>
  text(maxChars)
    .min(1)
    .refine((value) => visibleTitle(value.toWellFormed()) !== '', 'must have a visible character')

/** An object with any keys, kept as it is. */
export const anyObject = z.record(z.string(), z.unknown())

/** A count or a time: a safe integer. */
export const integer = z
  .custom<number>((value) => Number.isSafeInteger(value), 'must be an integer')
  .meta({ type: 'integer' })

/** The arguments by which a list comes in pages; `what` it lists. */
export const page = (what: string) => ({
  cursor: text(limits.CURSOR_MAX_CHARS).nullish().describe('The next_cursor of the page before.'),
  limit: z
    .int()
    .min(1)
    .max(limits.STORAGE_LIST_MAX)
    .default(limits.STORAGE_LIST_DEFAULT)
    .describe(`The most ${what} to return.`),
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id of a run: a uuid; letters of either case name the same run. */
export const runId = z
  .string()
  .regex(UUID, 'must be a uuid')
  .transform((id) => id.toLowerCase())
  .describe('The id of the run, a uuid.')

const ids = {
  stream_id: z.string().describe('The stream that its frames come on.'),
  run_id: z.string().describe('The id of the run.'),
}

/** What starts a stream returns. */
export const started = z.object(ids).describe('A run that was accepted.')

/** What `attach` returns. */
export const attached = z
  .object({
    ...ids,
    last_seq: z.number().describe('The number of the newest frame.'),
    done: z.boolean().describe('Whether that frame is the last.'),
  })
  .describe('A run whose frames are sent again.')

const PATH_PART = /^[^\p{Cc}/\\]+$/u

/** Whether text is one part of a path: no slash or backslash, no control character, and not `.` or `..`. */
export const isPathPart = (part: string): boolean =>
  PATH_PART.test(part) && part !== '.' && part !== '..' && part.isWellFormed()

/** A name to save a file under, never a path. */
export const filename = text(limits.UPLOAD_FILENAME_MAX_CHARS)
  .min(1)
  .refine(isPathPart, 'must be a plain name, without slashes and control characters')
  .describe('The name to save the file under, without slashes.')
