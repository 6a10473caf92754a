import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { pluginsOf, type StartedPlugin } from './plugins-of.ts'
import { readProject } from './project.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-values-'))
  vi.stubEnv('SVC_TEST_SHELL', 'of the shell')
  vi.stubEnv('SVC_TEST_EMPTY', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true })
})

const KEPT = `SVC_TEST_KEPT="it's kept"
SVC_TEST_SHELL=of the file
SVC_TEST_EMPTY=of the file
export SVC_TEST_MORE=a=b # no more
`
function started(line: object): StartedPlugin {
  const svc = { plugins: [{ slug: 'fs', command: ['server'], ...line }] }
  writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ svc }))
  writeFileSync(path.join(dir, 'manifest.json'), '{}')
  const [plugin] = pluginsOf([readProject(dir)])
  if (!plugin) throw new Error('there is no plugin')
  const { PATH, ...env } = plugin.env
  return { ...plugin, env }
}

verifies.each('plug.app.values')([
  ['a text', { env: { A: 'x' } }, { env: { A: 'x' } }],
  ['a value of .env', { env: { A: '${SVC_TEST_KEPT}!' } }, { env: { A: "it's kept!" } }],
  [
    'the environment before .env',
    { env: { SVC_TEST_SHELL: {} } },
    { env: { SVC_TEST_SHELL: 'of the shell' } },
  ],
  [
    '.env, where the environment has nothing',
    { env: { A: '${SVC_TEST_EMPTY}' } },
    { env: { A: 'of the file' } },
  ],
  ['a line with export', { env: { A: '${SVC_TEST_MORE}' } }, { env: { A: 'a=b' } }],
  ['a default', { env: { NONE: { default: 'usual' } } }, { env: { NONE: 'usual' } }],
  ['no value, of what is not required', { env: { NONE: { secret: true } } }, { env: {} }],
  ['a name that is none', { env: { A: '$${NONE}' } }, { env: { A: '${NONE}' } }],
  [
    'words of its command',
    { command: ['server', '--key=${SVC_TEST_KEPT}'] },
    { command: ['server', "--key=it's kept"] },
  ],
  ['how it starts', { session: 'agent', start_ms: 20_000 }, { session: 'agent', start_ms: 20_000 }],
])('starts a plugin with %s', (_, line, expected) => {
  writeFileSync(path.join(dir, '.env'), KEPT)
  expect(started(line)).toMatchObject(expected)
})

verifies.each('plug.app.values')([
  ['where its app is', {}, '.'],
  ['in a folder of the app', { cwd: 'server' }, 'server'],
  [
    'in a folder that is named',
    { cwd: '${SVC_TEST_PLACE}/x', env: { SVC_TEST_PLACE: { default: '/srv' } } },
    '/srv/x',
  ],
])('starts %s', (_, line, folder) => {
  expect(started(line).cwd).toBe(path.resolve(dir, folder))
})

verifies('plug.app.values', 'takes folders of a reach from the folder of the app', () => {
  const folders = ['data', './data/in', '${PWD}/own', '/srv/x'].map((one) => ({ path: one, access: 'read' }))
  const { reach } = started({ reach: { folders } })
  expect(reach?.folders?.map((one) => one.path)).toEqual([
    ...['data', 'data/in', 'own'].map((one) => path.join(dir, one)),
    '/srv/x',
  ])
})

verifies.each('plug.app.values')([
  [
    'a variable that is required',
    { env: { KEY: { required: true, description: 'the key of sky.org' } } },
    'it needs KEY ("the key of sky.org"): write KEY=… into .env beside package.json, or start svc after: export KEY',
  ],
  [
    'names in texts',
    { command: ['server', '${ONE}'], env: { A: '${TWO}' } },
    'it needs TWO, ONE: write TWO=… and ONE=… into .env beside package.json, or start svc after: export TWO ONE',
  ],
])('does not start a plugin without %s', (_, line, problem) => {
  mkdirSync(path.join(dir, '.env'))
  expect(started(line)).toMatchObject({ problem, reach: {} })
})
