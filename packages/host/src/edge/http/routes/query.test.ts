import { verifies } from '@svc/conformance/verifies'
import * as z from '@svc/contract/zod'
import { expect } from 'vitest'
import { readQuery } from './query.ts'

const shape = z.object({ q: z.string().optional(), limit: z.number().optional() })

verifies.each('wall.fuzz')(['constructor', 'toString', '__proto__', '__defineGetter__', 'of_nothing'])(
  'a query with the name %s is read as if it were not there',
  (name) => {
    const query = Object.fromEntries([[name, '1'], ...Object.entries({ q: '7', limit: '7' })])
    expect(readQuery(shape, query)).toEqual({ q: '7', limit: 7 })
  },
)
