import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readImports } from './arrows.ts'
import { layersOf, wrongSteps } from './layers.ts'

const step = (file: string, text: string) => wrongSteps({ name: 'host', file, imports: readImports(text) })

it.each([
  ['edge/rpc/gateway.ts', `import { a } from '../../access/users/users.ts'`],
  ['edge/rpc/gateway.ts', `import { a } from './dispatch.ts'`],
  ['access/users/users.ts', `import { a } from '../tokens/tokens.ts'`],
  ['work/runs/run.test.ts', `import { a } from '../../edge/rpc/gateway.ts'`],
  ['testing/runs.ts', `import { a } from '../edge/rpc/gateway.ts'`],
  ['create-host.ts', `import { a } from './edge/rpc/gateway.ts'`],
  ['apps/push.ts', `import { refuse } from '@svc/contract'`],
])('%s may %s', (file, text) => {
  expect(step(file, text)).toEqual([])
})

it.each([
  [
    'access/users/users.ts',
    `import { a } from '../../user-data/erase.ts'`,
    'access must not import user-data',
  ],
  ['data/uploads/drop.ts', `import type { A } from '../../edge/context.ts'`, 'data must not import edge'],
  ['kernel/when.ts', `const a = await import('../work/runs/run.ts')`, 'kernel must not import work'],
  ['work/runs/run.ts', `import type { A } from '../../host.ts'`, 'work must not import host.ts'],
  ['edge/guard.ts', `import type { A } from '../settings.ts'`, 'edge must not import settings.ts'],
  ['apps/push.ts', `import { a } from '../testing/apps.ts'`, 'for tests alone'],
  ['attic/old.ts', '', 'there is no layer "attic" in host'],
])('%s may not %s', (file, text, sentence) => {
  expect(step(file, text)).toEqual([expect.stringContaining(sentence)])
})

it.each(Object.entries(layersOf))('each layer of %s is there, once', (name, layers) => {
  const files = globSync(`packages/${name}/src/*/**/*.ts`)
  const folders = new Set(files.map((file) => file.split('/')[3]))
  folders.delete('testing')
  expect([...layers].sort()).toEqual([...folders].sort())
})
