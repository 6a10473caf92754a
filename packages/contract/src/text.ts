import { z } from 'zod'

/**
 * Text of at most `maxChars` characters, counted as `.length` counts them (decision 13). zod alone counts
 * code points, and would let twice as much of some text through.
 */
export const text = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((value) => value.length <= maxChars, `must have at most ${maxChars} characters`)
