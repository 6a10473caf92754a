import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { blocksOf, pageFiles } from './page-commands.ts'
import { notCompiled, partsOf } from './testing/snippet-parts.ts'
import { type Snippet, snippetErrors } from './testing/snippets.ts'

/** What is not here: files that a page takes for granted beside the snippet, and Express with what belongs to it, which has no types. */
const NOT_HERE = /Cannot find module '(\.{1,2}\/|express'|compression')/

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
  'docs/guides/other-apps-and-web.md': `
import { createHost } from '@svc/host'
import { svc } from '@svc/sdk'`,
  'docs/guides/operating.md': `
declare function userOf(request: Request): Promise<{ id: string; at: number } | null>
declare global { namespace NodeJS { interface ProcessEnv { SVC_OPERATOR_TOKEN: string; SVC_METRICS_TOKEN: string; SVC_POSTGRES: string; SVC_REDIS: string } } }
import type { HostOptions } from '@svc/host'
declare function endProcess(error: Error): void
declare const authenticate: NonNullable<HostOptions['authenticate']>
declare const apps: NonNullable<HostOptions['apps']>`,
  'docs/guides/run-a-host.md': `
import { createHost } from '@svc/host'
import type { Host } from '@svc/host'
declare const host: Host
declare global { namespace NodeJS { interface ProcessEnv { SVC_SECRET: string; SVC_SECRET_BEFORE: string } } }
declare const out: NodeJS.WritableStream
declare const auditLog: { info(entry: object): void }
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
  'packages/cli/README.md': `declare function userOf(request: Request): Promise<string>`,
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

const serveConfig = `import type { ServeConfig } from '${path.resolve('packages/cli/src/host/serve-config.ts')}'`

const blocks = pageFiles.flatMap((page) =>
  blocksOf(readFileSync(page, 'utf8')).map((block, index) => ({ page, at: index + 1, ...block })),
)
const compiled = blocks.flatMap((block) => {
  const parts = partsOf(block)
  return parts ? [{ ...block, ...parts }] : []
})
const snippets = compiled.flatMap(({ page, at, scripts }) =>
  scripts.map(({ language, text }): Snippet => {
    // What a page shows as a config is one of `svc serve`.
    const isConfig = language === 'js' && text.startsWith('export default {')
    const [own, end] = isConfig ? [`\n${serveConfig}`, ' satisfies ServeConfig'] : ['', '']
    return { page, at, language, text: `${text.trim()}${end}`, given: `${given[page] ?? ''}${own}` }
  }),
)
/** Types that a page declares for everybody would be those of every other page too. */
const isApart = ({ given }: Snippet) => given.includes('declare module')
const programs = Object.values(
  Object.groupBy(snippets, (one) => (isApart(one) ? one.page : one.language === 'js' ? 'js' : 'ts')),
)
const told = new Map(
  programs.flatMap((some = []) => {
    const errors = snippetErrors(some)
    return some.map((one, index) => [`${one.page} ${one.at}`, errors[index] ?? []] as const)
  }),
)

it.each(compiled)('block $at of $page, $language, is without an error', ({ page, at, errors }) => {
  const all = [...errors, ...(told.get(`${page} ${at}`) ?? [])]
  expect(all.filter((error) => !NOT_HERE.test(error))).toEqual([])
})

it('sees all blocks: one that is indented would be left out', () => {
  expect(pageFiles.filter((page) => /^ +```/m.test(readFileSync(page, 'utf8')))).toEqual([])
})

it('compiles blocks of every language, or says why not', () => {
  const languages = new Set(blocks.filter((block) => !partsOf(block)).map(({ language }) => language))
  expect([...languages].sort()).toEqual(Object.keys(notCompiled).sort())
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
