import * as z from '../values/zod.ts'

/** Who published a plugin, as others are shown it. */
export const publisher = z.object({
  /** The name that the operator verified; else the id of the user. */
  name: z.string(),
  verified: z.boolean(),
})
