import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The imports of modules like this in the sources outside of the folder `chat`, each as its text begins. */
const importsOf = (module: RegExp) =>
  globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/chat/'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/import\b[^;]*?'[^']*'/g) ?? [])
    .map((text) => text.slice(text.lastIndexOf('import')))
    .filter((text) => module.test(text))

verifies('design.models.lazy', 'the AI SDK is imported as types alone, or when it is needed', () => {
  const found = importsOf(/'@ai-sdk\/[^']*'$/)
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter((text) => !/^import( type |\()/.test(text))).toEqual([])
})

verifies('design.models.lazy', 'what reads the answers of a server is imported when one is asked', () => {
  expect(importsOf(/\/chat\/[^']*'$/)).toEqual([
    "import('./chat/chat-model.ts'",
    "import('./chat/vectors.ts'",
  ])
})
