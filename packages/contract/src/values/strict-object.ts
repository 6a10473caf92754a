import type * as zod from 'zod'
import { didYouMean } from './nearest.ts'
import * as z from './zod.ts'

/** An object that takes no key but these; the sentence on another one has the nearest of them. */
export const strictObject = <const Shape extends zod.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys ?? []
      return `must not have the key ${JSON.stringify(key)}${didYouMean(key, Object.keys(shape))}`
    },
  })
