import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { aloneTests, aloneWith } from './alone-tests.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = Object.values(aloneTests).flat()

it('names files that there are, each once', () => {
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
})

it('names files of the two suites that have those that run alone', () => {
  expect([...aloneWith('.chromium.test.ts'), ...aloneWith('.faults.test.ts')].sort()).toEqual(
    [...files].sort(),
  )
})
