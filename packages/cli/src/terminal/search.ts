/** The option that searches a list. */
export const searchArg = {
  type: 'string',
  description: 'Only what has each of these words in its names, ids or tags.',
} as const

/** What is said where a search finds nothing. */
export const nothingFound = (thing: string, search: string): string =>
  `No ${thing} is found by ${JSON.stringify(search)}.`
