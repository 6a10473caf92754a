import { expect, it } from 'vitest'
import { renewOf } from './report.ts'

it.each([
  ['svc types', ['--check'], 'svc types'],
  ['svc types', ['my-app', '--out', 'lib/a.d.ts', '--check', '--json'], 'svc types my-app --out lib/a.d.ts'],
  [
    'svc plug types',
    ['--check', '--name', 'sums', '--', 'node', 'plugin.ts', '--check'],
    'svc plug types --name sums -- node plugin.ts --check',
  ],
])('%s with %j is renewed by %s', (command, typed, renew) => {
  expect(renewOf(command, typed)).toBe(renew)
})
