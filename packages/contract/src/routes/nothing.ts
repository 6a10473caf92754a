import { z } from 'zod'

/** `{}`: it was done. */
export const nothing = z.object({})
