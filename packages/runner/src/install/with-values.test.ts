import { homedir } from 'node:os'
import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import { limits } from '@svc/contract/limits'
import type { Reach } from '@svc/contract/reach'
import { expect, it } from 'vitest'
import type { InstalledSpec } from '../port/runner.ts'
import { withoutValues, withValues } from './with-values.ts'

const command = { id: 'tool-x', version: '1.0.0', command: ['node', '/x.js'], files: ['/i'] }
const plugin = (more: object, values?: Record<string, string>, reach?: Reach): InstalledSpec => ({
  id: 'tool-x',
  version: '1.0.0',
  distribution: { type: 'npm', package_name: 'x', ...more } as Distribution,
  values,
  reach,
})
const folder = (path: string): Reach => ({ folders: [{ path, access: 'write' }] })

it('leaves a plugin that needs nothing as it is', () => {
  expect(withValues(command, plugin({}, { A: '1' }, { folders: [] }), limits)).toBe(command)
})

verifies.each('plug.needs.filled')<[string, InstalledSpec, object]>([
  ['arguments', plugin({ args: ['--x', '-'] }), { args: ['--x', '-'] }],
  [
    'variables',
    plugin({ env: { A: { secret: true }, B: 'b', C: { default: '${HOME}/c' }, D: {} } }, { A: 'a' }),
    { env: { A: 'a', B: 'b', C: `${homedir()}/c` } },
  ],
  [
    'a folder of the user',
    plugin({ args: ['${A}'], cwd: '${A}/b', env: { A: {} } }, { A: '/srv/a' }, folder('${A}')),
    { args: ['/srv/a'], cwd: '/srv/a/b', env: { A: '/srv/a' }, reach: folder('/srv/a') },
  ],
  ['what the author fixed, whatever is given', plugin({ env: { A: 'a' } }, { A: 'b' }), { env: { A: 'a' } }],
  ['no name that is no variable', plugin({ env: { A: {} } }, { LD_PRELOAD: 'x', HOME: '/' }), { env: {} }],
])('fills in %s', (_what, spec, filled) => {
  expect(withValues(command, spec, limits)).toEqual({ ...command, ...filled })
})

const long = Array.from({ length: 20 }, () => '${A}')
verifies.each('plug.needs.judged')<[string, InstalledSpec, string]>([
  ['a required variable without a value', plugin({ env: { A: { required: true } } }), 'A has no value'],
  ['a name without a value', plugin({ args: ['${A}'], env: { A: {} } }), 'A has no value'],
  ...['/', '/etc', '/proc/1', 'notes', '/a/../etc', '/a\n/etc', '${HOME}', ''].map(
    (path): [string, InstalledSpec, string] => [
      `the folder ${JSON.stringify(path)}`,
      plugin({ env: { A: {} } }, { A: path }, folder('${A}')),
      'its folder ${A} must',
    ],
  ),
  [
    'a part of a path that leads out',
    plugin({ env: { A: {} } }, { A: '..' }, folder('/srv/${A}')),
    'must not',
  ],
  ['a cwd elsewhere', plugin({ cwd: '/srv' }), 'its cwd must be one of the folders of its reach'],
  [
    'a cwd beside its folder',
    plugin({ cwd: '/srv/ab', env: {} }, {}, folder('/srv/a')),
    'its cwd must be one of the folders of its reach',
  ],
  [
    'a cwd that leads out of its folder',
    plugin({ cwd: '${A}/../.ssh', env: { A: {} } }, { A: '/srv/a' }, folder('${A}')),
    'its cwd must not hold the folders . or ..',
  ],
  ['NUL', plugin({ args: ['${A}'], env: { A: {} } }, { A: 'a\0b' }), 'must not hold the character NUL'],
  [
    'more than a start takes',
    plugin({ args: long, env: { A: {} } }, { A: 'x'.repeat(8_000) }),
    'at most 131072',
  ],
])('does not start with %s', (_what, spec, sentence) => {
  expect(withValues(command, spec, limits)).toMatchObject({
    ok: false,
    code: 'plug_unavailable',
    message: expect.stringContaining(sentence),
  })
})

it('leaves values out of what an app may read', () => {
  const why = {
    ok: false,
    code: 'plug_unavailable',
    message: 'no sk-12345 in sk-1234',
    details: { stderr: 'sk-1234: 7', ms: 7 },
  } as const
  expect(withoutValues(why, { A: 'sk-1234', B: 'sk-12345', C: '7' })).toEqual({
    ...why,
    message: 'no ${B} in ${A}',
    details: { stderr: '${A}: 7', ms: 7 },
  })
})

const key = 'sk-live-"0123/\n456789'
it.each([
  [
    'in an object',
    { error: { message: `no ${key}`, [key]: [key] } },
    { error: { message: 'no ${K}', '${K}': ['${K}'] } },
  ],
  ['in JSON', { error: JSON.stringify({ key }) }, { error: '{"key":"${K}"}' }],
  ['in a URL', { error: `GET /?key=${encodeURIComponent(key)}` }, { error: 'GET /?key=${K}' }],
  [
    'where it was cut',
    { error: `${'x'.repeat(100)}${key.slice(0, 12)}`, hint: `${'x'.repeat(100)}${key.slice(0, 12)}…` },
    { error: `${'x'.repeat(100)}\${K}`, hint: `${'x'.repeat(100)}\${K}…` },
  ],
])('leaves a value out %s', (_, details, left) => {
  const why = { ok: false, code: 'tool_failed', message: 'It failed.', details } as const
  expect(withoutValues(why, { K: key }).details).toEqual(left)
})
