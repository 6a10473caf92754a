import { expect, it } from 'vitest'
import { readUnowned } from './promise-owners.ts'

const FILE = 'packages/cli/src/commands/serve.ts'

it.each([
  ['void run()', 'run'],
  ['timer(() => void run())', 'run'],
  ['void run().then(go)', 'run().then'],
  ['void run().catch(go).then(go)', 'run().catch(go).then'],
  ['void (a ?? run())', '(a ?? run())'],
])('"%s" has no owner', (text, call) => {
  expect(readUnowned(FILE, text)).toEqual([{ line: 1, call, entry: `${FILE} ${call}`, isAllowed: false }])
})

it.each([
  'await run()',
  'void run().catch(go)',
  'void run().then(go, stop)',
  'const f = () => void set.add(1)',
  'function f() { return void response.destroy() }',
  'void 0',
])('"%s" has one, or needs none', (text) => {
  expect(readUnowned(FILE, text)).toEqual([])
})

it('knows what never rejects, by its file', () => {
  expect(readUnowned(FILE, 'void sayServed()')).toMatchObject([{ isAllowed: true }])
  expect(readUnowned('packages/cli/src/main.ts', 'void sayServed()')).toMatchObject([{ isAllowed: false }])
})
