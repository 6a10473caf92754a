import * as z from './zod.ts'

/**
 * Text of at most `maxChars` characters, counted as `.length` counts them. zod alone counts
 * code points, and would let twice as much of some text through. `from`: what is done to it before it is judged.
 */
export const text = (maxChars: number, from = z.string()) =>
  from
    // First, and then nothing else: what looks at every character takes its time with a hundred million of them.
    .refine((value) => value.length <= maxChars, {
      error: `must have at most ${maxChars} characters`,
      abort: true,
    })
    .max(maxChars)
