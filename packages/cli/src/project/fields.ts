/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>

/** An object that is no array, or nothing. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
