import type { ZodString } from 'zod'
import * as z from './zod.ts'

/**
 * Text of at most `maxChars` characters, counted as `.length` counts them. zod alone counts
 * code points, and would let twice as much of some text through. `from`: what is done to it before it is judged.
 */
export const text = (maxChars: number, from?: ZodString): ZodString => {
  if (from) return bounded(maxChars, from)
  const before = made.get(maxChars)
  if (before) return before
  const one = bounded(maxChars, z.string())
  made.set(maxChars, one)
  return one
}

const bounded = (maxChars: number, from: ZodString) =>
  from
    // First, and then nothing else: what looks at every character takes its time with a hundred million of them.
    .refine((value) => value.length <= maxChars, {
      error: `must have at most ${maxChars} characters`,
      abort: true,
    })
    .max(maxChars)

/** One of each length: a schema does not change, and a hundred fields have ten lengths. */
const made = new Map<number, ZodString>()
