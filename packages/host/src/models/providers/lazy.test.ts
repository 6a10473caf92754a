import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '..')

verifies('design.models.lazy', 'the AI SDK is imported as types alone, or when it is needed', () => {
  const found = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/import\b[^;]*?'@ai-sdk\/[^']*'/g) ?? [])
    .map((text) => text.slice(text.lastIndexOf('import')))
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter((text) => !/^import( type |\()/.test(text))).toEqual([])
})
