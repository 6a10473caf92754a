import { explainAll } from '@svc/contract'
import type * as z from '@svc/contract/zod'
import type { Rule } from '@svc/node/options'

/** What a schema of contract takes, as an option. */
export const bySchema =
  (schema: z.ZodType): Rule =>
  (value, name) => {
    const read = schema.safeParse(value)
    if (read.success) return null
    const [problem = 'is wrong'] = explainAll(read.error, value, '')
    return `${name}${problem.startsWith(' ') ? '' : '.'}${problem}`
  }
