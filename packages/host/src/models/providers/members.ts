/** The members of what a server sent; any of them may be of any type. */
export type Fields = Readonly<Record<string, unknown>>

const nothing: Fields = {}

/** The members of a value; none where it has none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : nothing

/** The elements of a list; none where it is not one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text that is not empty, else `null`. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** The value of JSON text; `undefined` where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
