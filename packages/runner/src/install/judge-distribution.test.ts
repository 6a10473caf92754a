import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import { limits } from '@svc/contract/limits'
import { expect } from 'vitest'
import { installMethodOf, type Machine } from './installers.ts'

/** Nothing of it is asked before a distribution was judged. */
const machine = {
  limits,
  now: () => 0,
  run: () => Promise.reject(new Error('ran')),
  npmRegistry: undefined,
  homebrew: true,
} as unknown as Machine
const install = (distribution: object) =>
  installMethodOf({ id: 'tool-x', version: '1.0.0', distribution: distribution as Distribution }, machine)

const urls = { [`${process.platform}-${process.arch}`]: { url: 'https://x.org/x', sha256: 'a' } }

verifies.each('wall.plugin.install')<[string, object, RegExp]>([
  ['a type that every object has', { type: 'constructor', command: ['sh'] }, /does not know that type/],
  ['another such type', { type: '__proto__', command: ['sh'] }, /does not know that type/],
  ['a type that is none', { type: 'mystery' }, /does not know that type/],
  ['a file outside', { type: 'binary', urls, executable_name: '../x' }, /executable_name .*"\.\.\/x"/],
  ['a file by its path', { type: 'binary', urls, executable_name: '/x' }, /executable_name/],
  ['a file that is an option', { type: 'local', path: '/x', executable_name: '-x' }, /executable_name/],
  ['a file that is none', { type: 'uv', package_name: 'x', executable_name: {} }, /executable_name/],
  ['a package that is a folder', { type: 'npm', package_name: '../x' }, /package_name/],
  ['a package that is a URL', { type: 'uv', package_name: 'https://x.org/x' }, /package_name/],
  ['a package that is an option', { type: 'pipx', package_name: '--editable' }, /package_name/],
  ['a package that is none', { type: 'npm', package_name: ['x'] }, /package_name/],
  ['a package of another manager', { type: 'homebrew', package_name: '@x/y' }, /package_name/],
  ...[
    { LD_PRELOAD: '/x.so' },
    { NODE_OPTIONS: {} },
    { 'A=B': '' },
    { A: 7 },
    { A: { default: 7 } },
    { A: null },
    'x',
  ].map((env): [string, object, RegExp] => [
    `the variables ${JSON.stringify(env)}`,
    { type: 'npm', package_name: 'x', env },
    /its env is not such as a host publishes/,
  ]),
  ['an argument that is none', { type: 'npm', package_name: 'x', args: [7] }, /args/],
  ['an argument with a line feed', { type: 'npm', package_name: 'x', args: ['a\nb'] }, /args/],
  ['a start without end', { type: 'npm', package_name: 'x', start_ms: 1e9 }, /start_ms/],
  ['a session that is none', { type: 'npm', package_name: 'x', session: 'host' }, /session/],
  ['a version that is a place', { type: 'npm', package_name: 'x', version: 'npm:y' }, /version/],
])('what a host says names %s: nothing of it is installed', async (_what, distribution, says) => {
  await expect(install(distribution)).rejects.toThrow(says)
})

verifies.each('wall.plugin.install')([
  { type: 'npm', package_name: '@x/y', version: '1.0.0-beta.1', executable_name: 'y' },
  { type: 'uv', package_name: 'Some_Tool.x', version: '1!2.0+local' },
  { type: 'homebrew', package_name: 'x/tap/tool@3' },
  { type: 'binary', urls, executable_name: 'tool.exe' },
  { type: 'npm', package_name: 'x', args: ['-e'], env: { KEY: { secret: true }, B: 'b' }, start_ms: 20_000 },
])('$type as it is published is taken', async (distribution) => {
  expect(await install(distribution)).toHaveProperty('fill')
})
