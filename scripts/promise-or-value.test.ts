import { expect, it } from 'vitest'
import { readPlaces } from './promise-or-value.ts'

const ANYWHERE = 'packages/host/src/apps/push.ts'

it.each([
  ['type A = string | Promise<string>', 'T | Promise<T>'],
  ['type A = Promise<readonly B[]> | readonly B[] | null', 'T | Promise<T>'],
  ['const f = (work: () => void | Promise<void>) => work()', 'T | Promise<T>'],
  ['let a: Map<string, (B | Promise<B>)[]>', 'T | Promise<T>'],
  ['if (a instanceof Promise) b()', 'instanceof Promise'],
  [`import { when } from '../kernel/when.ts'`, 'when.ts'],
  [`import type { MaybePromise } from '../kernel/when.ts'`, 'when.ts'],
])('"%s" is one', (text, what) => {
  expect(readPlaces(ANYWHERE, `\n${text}`)).toEqual([{ line: 2, what, entry: undefined, isAllowed: false }])
})

it.each([
  'type A = Promise<string | null>',
  'type A = Promise<string> | null',
  'let a: Promise<void> | undefined',
  'type A = string | null',
  'if (a instanceof Map) b()',
  '// string | Promise<string>',
  `import { whenever } from './whenever.ts'`,
])('"%s" is none', (text) => {
  expect(readPlaces(ANYWHERE, text)).toEqual([])
})

it.each([
  ['packages/host/src/edge/rpc/gateway.ts', 'type A = B | Promise<B>', true],
  ['packages/host/src/edge/rpcs.ts', 'type A = B | Promise<B>', false],
  ['packages/state/src/store/copy.ts', 'type A = B | Promise<B>', true],
  ['packages/host/src/models/web/search.ts', 'type WebSearch = (query: string) => B | Promise<B>', true],
  ['packages/host/src/models/web/search.ts', 'type WebSearches = (query: string) => B | Promise<B>', false],
  ['packages/host/src/models/web/search.ts', 'if (a instanceof Promise) b()', false],
  ['packages/plugin/src/live-plugin.ts', 'interface A { describe(): B | Promise<B> }', true],
  ['packages/plugin/src/live-plugin.ts', 'interface A { call(): B | Promise<B> }', false],
])('in %s "%s" is allowed: %s', (file, text, isAllowed) => {
  expect(readPlaces(file, text)).toMatchObject([{ isAllowed }])
})
