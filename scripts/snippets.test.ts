import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { blocksOf } from './page-commands.ts'
import { type Snippet, snippetErrors } from './testing/snippets.ts'

const pages = [
  'README.md',
  ...globSync('docs/{guides,reference}/*.md'),
  ...globSync('{packages,examples}/*/README.md'),
].sort()

/** Files that a page takes for granted beside the snippet. */
const OWN_FILE = /Cannot find module '\.{1,2}\//

/** What a page takes for granted, one declaration a line. */
const given: Readonly<Record<string, string>> = {
  'README.md': `
declare const csv: string
declare const appId: string
declare function show(thing: unknown): void`,
  'docs/guides/files.md': `import { svc } from '@svc/sdk'`,
  'docs/guides/frameworks.md': `
declare const manifest: object
declare const root: { render(node: unknown): void }
declare const app: unknown`,
  'docs/guides/mcp-servers.md': `import { svc } from '@svc/sdk'`,
  'docs/guides/other-apps-and-web.md': `import { svc } from '@svc/sdk'`,
  'docs/guides/run-a-host.md': `
declare const appId: string
declare function userOf(cookie: string | null): Promise<{ id: string } | null>
declare function site(req: unknown, res: unknown): void`,
  'docs/guides/testing.md': `
import { createTestHost } from '@svc/testing'
import type { TestHost } from '@svc/testing'
import type { TestHostOptions } from '@svc/testing'
import { expect } from 'vitest'
declare const manifest: object
declare const tools: NonNullable<TestHostOptions['tools']>
declare const host: TestHost
declare const page: import('playwright-core').Page
declare function byId(id: string): HTMLElement`,
  'docs/guides/theme.md': `declare const win: import('@svc/bridge').SvcWindow`,
  'docs/guides/typed-tools.md': `
declare module '@svc/sdk' { interface KnownTools { 'csv-stats': { describe_csv: { args: { csv: string; name?: string }; result: { rows: number } } } } }`,
  'docs/reference/methods.md': `
import { isHostRpcError, svc } from '@svc/sdk'
declare const app_id: string
declare const app_session_uuid: string
declare const run_id: string
declare const runId: string
declare const afterSeq: number
declare const jobId: string
declare const file_ref: string
declare const file: File
declare const edited: string
declare function render(): void
declare function show(thing: unknown): void
declare function showConflict(): void`,
}

const snippets = pages.flatMap((page) =>
  blocksOf(readFileSync(page, 'utf8'))
    .filter((block) => block.language === 'ts' || block.language === 'tsx')
    .map(({ language, text }, index): Snippet => {
      return { page, at: index + 1, language: language as 'ts' | 'tsx', text, given: given[page] ?? '' }
    }),
)
/** Types that a page declares for everybody would be those of every other page too. */
const isApart = ({ given }: Snippet) => given.includes('declare module')
const [together, apart] = [snippets.filter((one) => !isApart(one)), snippets.filter(isApart)]
const told = [together, apart].flatMap((some) => {
  const errors = snippetErrors(some)
  return some.map(({ page, at }, index) => ({ page, at, errors: errors[index] ?? [] }))
})

it.each(told)('snippet $at of $page is TypeScript without an error', ({ errors }) => {
  expect(errors.filter((error) => !OWN_FILE.test(error))).toEqual([])
})

it('tells of a mistake', () => {
  const text = "import { svc } from '@svc/sdk'\nsvc.storage.put({ key })\n"
  expect(
    snippetErrors([{ page: 'a.md', at: 1, language: 'ts', text, given: 'declare const key: number' }]),
  ).toEqual([["Property 'put' does not exist on type 'StorageClient'."]])
})

it('takes nothing for granted on pages that have no snippet', () => {
  expect(Object.keys(given).filter((page) => !snippets.some((one) => one.page === page))).toEqual([])
})
