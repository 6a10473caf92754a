/**
 * Returns where the section about a code is: in this repository, or on the docs site that `npm run release -- --docs`
 * names, which puts its address in place of this path.
 */
export const errorDocs = (code: string): string => `docs/reference/errors.md#${code.toLowerCase()}`
