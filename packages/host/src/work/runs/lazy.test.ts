import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync('**/*.ts', { cwd: root }).filter((file) => !/test/.test(file))
/** The sources that import a module when they are loaded. */
const importersOf = (module: RegExp) =>
  sources
    .filter((file) => {
      const imports =
        readFileSync(join(root, file), 'utf8').match(/^import (?!type )[^;]*?from '[^']*'/gm) ?? []
      return imports.some((text) => module.test(text.slice(text.lastIndexOf('import'))))
    })
    .map((file) => basename(file))
    .toSorted()

verifies(
  'design.run.lazy',
  'only what does a run imports the AI SDK, and is imported when a run begins',
  () => {
    expect(importersOf(/from 'ai'$/)).toEqual(['tool-loop.ts', 'tool-set.ts'])
    expect(importersOf(/\/tool-set\.ts'$/)).toEqual(['tool-loop.ts'])
    expect(importersOf(/\/tool-loop\.ts'$/)).toEqual([])
    expect(importersOf(/from 'ai\/internal'$/)).toEqual(['talk-options.ts'])
    expect(importersOf(/\/talk-options\.ts'$/)).toEqual(['agent-loop.ts'])
    expect(importersOf(/\/agent-loop\.ts'$/)).toEqual([])
  },
)
