/** Levels of JSON in a schema that is written as a type; what a person writes has a dozen. */
const LEVELS_MAX = 100

/** What keeps a schema from being written as a type, as the end of a sentence; `null`: nothing. */
export function schemaProblem(schema: unknown, maxBytes: number): string | null {
  if (schema === undefined) return null
  if (isDeep(schema)) return `is nested deeper than ${LEVELS_MAX} levels`
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  return bytes > maxBytes ? `has ${bytes} bytes of JSON, and the most is ${maxBytes}` : null
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** By levels: a function that calls itself would not see the end of some. */
function isDeep(schema: unknown): boolean {
  let level = [schema].filter(isNested)
  for (let depth = 0; depth < LEVELS_MAX; depth++) {
    level = level.flatMap((value) => Object.values(value).filter(isNested))
    if (level.length === 0) return false
  }
  return true
}
