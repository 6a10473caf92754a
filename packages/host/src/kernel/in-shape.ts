import { wrongArgs } from '@svc/contract'
import type { z } from 'zod'

/** What was given, in the shape of its row. Errors: `invalid_arg` with the first thing that is wrong. */
export function inShape<Shape extends z.ZodType>(shape: Shape, given: unknown): z.output<Shape> {
  const parsed = shape.safeParse(given)
  if (!parsed.success) throw wrongArgs(parsed.error, given)
  return parsed.data
}
