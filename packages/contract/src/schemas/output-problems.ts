import { explainAll } from '../methods/define.ts'
import * as z from '../values/zod.ts'

/** What came of holding an output to a schema: what is wrong with it, or why the schema cannot be used. */
export type OutputVerdict = { readonly problems: readonly string[] } | { readonly unchecked: string }

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]

/**
 * Holds what a tool returned to its `output_schema`: every sentence that says what is wrong, none where all is well.
 * A schema with a part that zod does not know is not used. What the author of a plugin wrote is read here, on the
 * machine of that author: no host does it.
 */
export function outputProblems(schema: Readonly<Record<string, unknown>>, output: unknown): OutputVerdict {
  try {
    if (hasConstantObject(schema)) return { unchecked: 'it has an object or array among its constants' }
    const parsed = z.fromJSONSchema(schema as JsonSchema).safeParse(output)
    return { problems: parsed.success ? [] : [...new Set(explainAll(parsed.error, output, 'output'))] }
  } catch (error) {
    return { unchecked: error instanceof Error ? error.message : String(error) }
  }
}

/** zod compares constants by identity, so that one of these would never match. */
function hasConstantObject(schema: object): boolean {
  let has = false
  JSON.stringify(schema, (key, value: unknown) => {
    const constants = key === 'const' ? [value] : key === 'enum' && Array.isArray(value) ? value : []
    has ||= constants.some((one) => typeof one === 'object' && one !== null)
    return value
  })
  return has
}
