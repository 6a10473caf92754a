import { errorDocs } from '../../packages/contract/src/errors/error-docs.ts'

const inRepository = errorDocs('')

/**
 * Returns a function that puts the address of a docs site in place of the page of errors in this repository, which errors
 * lead to. `npm run docs` builds the site.
 *
 * @param site the address of a version, such as `https://docs.acme.site/1.0.0/`; null leaves texts as they are
 */
export function docsAddress(site: string | null): (text: string) => string {
  if (site === null) return (text) => text
  const page = new URL('reference/errors.html#', site.endsWith('/') ? site : `${site}/`).href
  return (text) => text.replaceAll(inRepository, page)
}
