import { expect, it } from 'vitest'
import { errorDocs } from '../../packages/contract/src/errors/error-docs.ts'
import { docsAddress } from './docs-address.ts'

it.each(['https://docs.acme.site/1.0.0/', 'https://docs.acme.site/1.0.0'])(
  'errors lead to the site %s',
  (site) => {
    const built = `var a=e=>"${errorDocs('')}"+e`
    expect(docsAddress(site)(built)).toBe('var a=e=>"https://docs.acme.site/1.0.0/reference/errors.html#"+e')
  },
)

it('errors lead to the page of the repository where there is no site', () => {
  expect(docsAddress(null)(errorDocs('not_found'))).toBe('docs/reference/errors.md#not_found')
})
