import { z } from 'zod'
import { limits } from '../limits.ts'
import { text } from '../text.ts'

const VISIBLE = /[^\s\p{Cf}]/u

/** Text with something to see in it: white space and format characters alone are refused (decision 13). */
export const visible = (maxChars: number) =>
  text(maxChars)
    .min(1)
    .refine((value) => VISIBLE.test(value), 'must have a visible character')

/** An object with any keys, kept as it is. */
export const anyObject = z.record(z.string(), z.unknown())

/** A count or a time: a safe integer (decision 5). */
export const integer = z
  .custom<number>((value) => Number.isSafeInteger(value), 'must be an integer')
  .meta({ type: 'integer' })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id of a run: a uuid; letters of either case name the same run (decision 21). */
export const runId = z
  .string()
  .regex(UUID, 'must be a uuid')
  .transform((id) => id.toLowerCase())

/** What starts a stream answers. */
export const started = z.object({ stream_id: z.string(), run_id: z.string() })

/** What `attach` answers: `last_seq` is the newest frame; `done`: it is the last. */
export const attached = started.extend({ last_seq: z.number(), done: z.boolean() })

const PATH_PART = /^[^\p{Cc}/\\]+$/u

/** Whether text is one part of a path: no slash or backslash, no control character, and not `.` or `..`. */
export const isPathPart = (part: string): boolean =>
  PATH_PART.test(part) && part !== '.' && part !== '..' && part.isWellFormed()

/** A name to save a file under, never a path. */
export const filename = text(limits.UPLOAD_FILENAME_MAX_CHARS)
  .min(1)
  .refine(isPathPart, 'must be a plain name, without slashes and control characters')
