import path from 'node:path'
import { expect, it } from 'vitest'
import { minified } from './minify-prelude.ts'

it('builds the script before each document small, and so that it can be in one', async () => {
  const text = await minified(path.resolve('packages/host/src/apps/prelude-source.ts'))
  expect(text.length).toBeLessThanOrEqual(14_000)
  expect(text).not.toMatch(/<\/script|<!--|[^ -~]/)
  expect(() => new Function(text)).not.toThrow()
})
