import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { anyObject } from './rules.ts'

/** A row of a method that is named and not offered. */
export const stub = (doc: string) =>
  method({ doc, access: 'declared', stub: true, args: () => z.object({}), result: anyObject })

/** `artifact.*`: named, not offered. */
export const artifact = {
  create: stub('Creates an artifact; not offered.'),
  update: stub('Changes an artifact; not offered.'),
  delete: stub('Removes an artifact; not offered.'),
}

/** `fs.*`: named, not offered. */
export const fs = { read: stub('Reads a file; not offered.'), write: stub('Writes a file; not offered.') }

/** `prefs.*`: named, not offered. */
export const prefs = { get: stub('Reads a preference; not offered.') }
