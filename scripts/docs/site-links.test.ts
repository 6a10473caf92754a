import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { documented } from './entries.ts'
import { about, readers, reference } from './guides.ts'
import { pageOf } from './pages.ts'
import { siteLink } from './site-links.ts'

const repository = 'https://code.example/svc'

it.each([
  ['a page beside it', 'jobs.md#states', '/guides/jobs.md#states'],
  ['a page of a package', '../../packages/cli/README.md', '/packages/cli.md'],
  ['the page of an example, by its folder', '../../examples/notes', '/examples/notes.md'],
  ['the rulings, by their folder', '../decisions', '/decisions/index.md'],
  ['a source', '../../scripts/check.ts', `${repository}/blob/HEAD/scripts/check.ts`],
  ['a folder of sources', '../../packages/host/src', `${repository}/tree/HEAD/packages/host/src`],
  ['a heading of its own', '#states', '#states'],
  ['somewhere else', 'https://a.site', 'https://a.site'],
])('leads a link to %s', (_, link, to) => {
  expect(siteLink('docs/guides/files.md', link, repository)).toBe(to)
})

it('has no link to a source where nobody shows the repository', () => {
  expect(siteLink('docs/guides/files.md', '../../scripts/check.ts', null)).toBe(null)
})

it('has each guide and each reference page in a menu, and no page that is not there', () => {
  const files = globSync('docs/{guides,reference}/*.md').map((file) => pageOf(file)?.replace(/\.md$/, ''))
  const own = [...readers.flatMap(({ pages }) => pages), ...reference, ...about].map(([, page]) => page)
  const api = documented.map(([, name]) => `api/${name.replace('@svc/', '')}`)
  expect(files.filter((page) => page === undefined || !own.includes(page))).toEqual([])
  const known = (page: string) =>
    api.includes(page) ||
    globSync('{*,docs/**/*,packages/*/*}.md').some((file) => pageOf(file) === `${page}.md`)
  expect(own.filter((page) => !known(page))).toEqual([])
})
