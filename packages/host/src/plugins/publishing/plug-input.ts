import { wrongArgs } from '@svc/contract'
import type { plugBodies } from '@svc/contract/routes'
import type { z } from 'zod'

export { plugBodies as bodies } from '@svc/contract/routes'

/** What a commit brings. */
export type CommitBody = z.output<typeof plugBodies.commit>
/** What an edit brings. */
export type EditBody = z.output<typeof plugBodies.edit>

/** Reads a body of a shape. Errors: `invalid_arg` with the first thing that is wrong. */
export function readBody<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input)
  if (!parsed.success) throw wrongArgs(parsed.error, input)
  return parsed.data
}
