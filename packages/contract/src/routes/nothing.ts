import * as z from '../values/zod.ts'

/** `{}`: it was done. */
export const nothing = z.object({})
