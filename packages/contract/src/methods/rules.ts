import { z } from 'zod'
import { text } from '../text.ts'

const INVISIBLE = /^[\s\p{Cf}]*$/u

/** Text with something to see in it: white space and format characters alone are refused (decision 13). */
export const visible = (maxChars: number) =>
  text(maxChars)
    .min(1)
    .refine((value) => !INVISIBLE.test(value), 'must have a visible character')

/** An object with any keys, kept as it is. */
export const anyObject = z.record(z.string(), z.unknown())

/** A count or a time: a safe integer (decision 5). */
export const integer = z
  .custom<number>((value) => Number.isSafeInteger(value), 'must be an integer')
  .meta({ type: 'integer' })
