import { describe, expect, it } from 'vitest'
import { readImports, wrongDependencies, wrongImports } from './arrows.ts'

const source = (name: string, text: string, file = `packages/${name}/src/layer/thing.ts`) =>
  wrongImports({ name, file, depth: 2, imports: readImports(text), subpaths: ['errors', 'lines', 'routes'] })

describe('readImports', () => {
  it.each([
    [`import { a } from './a.ts'`, [{ from: './a.ts', typeOnly: false }]],
    [`import type { A } from './a.ts'`, [{ from: './a.ts', typeOnly: true }]],
    [`import { type A } from './a.ts'`, [{ from: './a.ts', typeOnly: false }]],
    [`import a, * as b from 'b'`, [{ from: 'b', typeOnly: false }]],
    [`import 'side-effect'`, [{ from: 'side-effect', typeOnly: false }]],
    [`export {\n  a,\n  type B,\n} from './b.ts'`, [{ from: './b.ts', typeOnly: false }]],
    [`export type { A } from './a.ts'`, [{ from: './a.ts', typeOnly: true }]],
    [`export * from './a.ts'`, [{ from: './a.ts', typeOnly: false }]],
    [`const a = await import('./a.ts')`, [{ from: './a.ts', typeOnly: false }]],
    [` * import { svc } from '@svc/sdk'`, []],
    [`export const name = 'value'`, []],
    [`export const a = 1\nconst from = 'x'`, []],
  ])('reads %j', (text, imports) => {
    expect(readImports(text)).toEqual(imports)
  })
})

describe('wrongImports', () => {
  it.each([
    ['sdk', `import type { Client } from '@svc/contract'`],
    ['sdk', `import { errors } from '@svc/contract/errors'`],
    ['host', `import { limits } from '@svc/contract'`],
    ['host', `import { createRunner } from '@svc/runner'`],
    ['shell', `import { createBridge } from '@svc/bridge'`],
    ['cli', `import page from '@svc/shell/dist/index.html'`],
    ['cli', `import { createHost } from '@svc/host'`],
    ['host', `import { a } from '../other/a.ts'`],
    ['host', `import { Hono } from 'hono'`],
    ['bench', `import { createHost } from '@svc/host'`],
    ['bench', `import { openTestHost } from '@svc/conformance/testing/host'`],
    ['bench', `import { compare } from '../../lib/pairs.ts'`],
  ])('%s may %s', (name, text) => {
    expect(source(name, text)).toEqual([])
  })

  it.each([
    ['sdk', `import { limits } from '@svc/contract'`, 'sdk takes types only from "@svc/contract"'],
    ['plugin', `import { type Reply } from '@svc/contract'`, 'plugin takes types only'],
    ['runner', `import { routes } from '@svc/contract/routes'`, 'runner takes types only'],
    ['sdk', `import { createBridge } from '@svc/bridge'`, 'sdk must not import bridge'],
    ['contract', `import { serve } from '@svc/plugin'`, 'contract must not import plugin'],
    ['runner', `import { createHost } from '@svc/host'`, 'runner must not import host'],
    ['bridge', `const host = import('@svc/host')`, 'bridge must not import host'],
    ['host', `import { verifies } from '@svc/conformance/verifies'`, 'host must not import conformance'],
    ['cli', `import { App } from '@svc/shell'`, 'of shell only the built files'],
    ['sdk', `import { x } from '@svc/contract/nosuch'`, 'contract exports no "nosuch"'],
    ['host', `import { x } from '../../../runner/src/pool.ts'`, 'leaves the package'],
    ['bench', `import { jobs } from '../../../packages/host/src/job-row.ts'`, 'leaves the package'],
    ['bench', `import { App } from '@svc/shell'`, 'bench must not import shell'],
  ])('%s may not %s', (name, text, sentence) => {
    expect(source(name, text)).toEqual([expect.stringContaining(sentence)])
  })

  it.each(['src/a.test.ts', 'src/a.dom.test.tsx', 'src/testing/a.ts'])(
    'lets %s import the suites',
    (file) => {
      expect(source('sdk', `import { verifies } from '@svc/conformance/verifies'`, file)).toEqual([])
    },
  )
})

describe('wrongDependencies', () => {
  it('refuses a runtime dependency that is no arrow, and a package without a place', () => {
    expect(wrongDependencies('sdk', { dependencies: { '@svc/contract': '1', other: '1' } })).toEqual([])
    expect(wrongDependencies('sdk', { dependencies: { '@svc/host': '1' } })).toEqual([
      'sdk must not depend on @svc/host',
    ])
    expect(wrongDependencies('attic', {})).toEqual([
      expect.stringContaining('no place for a package "attic"'),
    ])
  })
})
