/** Not in all browsers, nor in the types of the language. */
const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean }

/**
 * Whether a value is an object of JSON. A number that `parseExact` keeps as text is an object to JavaScript, and is a
 * number here.
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON?.(value)
