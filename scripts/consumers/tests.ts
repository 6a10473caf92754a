import type { Tests } from './row.ts'

const body = (log: string) => `
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } }
  const host = await createTestHost({ manifest: { schema: 3, name: 'App', ui } })
  const { svc } = await host.openWindow()
  await svc.storage.set({ key: 'a', value: 'a value' })
  ${log}
  await host.close()
`
const kept = "(await svc.storage.get({ key: 'a' })).value"
const expecting = (from: string) => `${from}import { createTestHost } from '@svc/testing'
it('keeps a value', async () => {${body(`expect(${kept}).toBe('a value')`)}})
`
const asserting = `import assert from 'node:assert/strict'
import test from 'node:test'
import { createTestHost } from '@svc/testing'
test('keeps a value', async () => {${body(`assert.equal(${kept}, 'a value')`)}})
`

/** Tests of people, with the host of `@svc/testing`. */
export const tests: readonly Tests[] = [
  ...['3', '4', '5'].map((major) => ({
    name: `Vitest ${major}`,
    packages: ['@svc/testing', `vitest@${major}`],
    files: { 'app.test.mjs': expecting(`import { expect, it } from 'vitest'\n`) },
    start: ['vitest', 'run'] as const,
  })),
  {
    name: 'node:test',
    packages: ['@svc/testing'],
    files: { 'app.test.mjs': asserting },
    start: ['node', '--test', 'app.test.mjs'],
  },
  {
    name: 'node:test, the oldest Node (22.19)',
    packages: ['@svc/testing'],
    node: 'oldest',
    files: { 'app.test.mjs': asserting },
    start: ['node', '--test', 'app.test.mjs'],
  },
  {
    name: 'Jest 30, ES modules',
    packages: ['@svc/testing', 'jest@30'],
    files: {
      'app.test.mjs': expecting(''),
      'jest.config.mjs': "export default { testMatch: ['**/*.test.mjs'] }\n",
    },
    start: ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
    note: '`node --experimental-vm-modules node_modules/jest/bin/jest.js`: modules of CommonJS cannot have it in Jest',
  },
  {
    name: 'Bun 1.4, `bun test`',
    packages: ['@svc/testing'],
    manager: 'bun',
    files: { 'app.test.mjs': expecting(`import { expect, it } from 'bun:test'\n`) },
    start: ['bun', 'test'],
  },
]
