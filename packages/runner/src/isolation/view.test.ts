import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, describe, expect } from 'vitest'
import { type ProcessStart, viewOf } from './view.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-view-')))
const at = (path: string) => join(root, path)
function put(path: string): string {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), '', { mode: 0o755 })
  return at(path)
}
for (const file of ['app/package.json', 'app/src/plugin.ts', 'app/node_modules/near/index.js']) put(file)
for (const file of ['store/node_modules/far/index.js', 'lib/package.json', 'lib/index.js', 'plain/run.py'])
  put(file)
for (const file of ['venv/pyvenv.cfg', 'venv/bin/python', 'install/files/cli.js']) put(file)
symlinkSync(at('store/node_modules/far'), at('app/node_modules/far'))
symlinkSync(at('lib'), at('app/node_modules/lib'))
put('linked/package.json')
put('linked/run.js')
mkdirSync(at('elsewhere/node_modules'), { recursive: true })
symlinkSync('../../lib', at('elsewhere/node_modules/lib'))
symlinkSync('../nowhere', at('elsewhere/node_modules/gone'))
symlinkSync(at('elsewhere/node_modules'), at('linked/node_modules'))
mkdirSync(at('data'))
for (const file of [
  'ws/node_modules/cli/dist/main.js',
  'ws/node_modules/dep/index.js',
  'ws/app/package.json',
])
  put(file)
for (const file of ['pnpm/node_modules/.bin/shim', 'pnpm/node_modules/.pnpm/cli/node_modules/cli/main.js'])
  put(file)
mkdirSync(at('ws/node_modules/.bin'))
symlinkSync('../cli/dist/main.js', at('ws/node_modules/.bin/cli'))
symlinkSync(at('store/node_modules/far'), at('ws/node_modules/far'))
symlinkSync('.pnpm/cli/node_modules/cli', at('pnpm/node_modules/cli'))

const seen = (args: readonly string[], more: Partial<ProcessStart> = {}, program = '/bin/sh') =>
  viewOf({ program, args, cwd: '/', ...more }, '/usr/bin').readable.filter((path) => path.startsWith(root))

describe('what a plugin sees', () => {
  afterAll(() => rmSync(root, { recursive: true }))

  const cases: [string, string[], string[], Partial<ProcessStart>?][] = [
    [
      'a script: its package, and what that imports',
      [at('app/src/plugin.ts')],
      ['app', 'lib', 'store/node_modules'],
    ],
    [
      'the packages behind a node_modules that is a link, without those that are gone',
      [at('linked/run.js')],
      ['elsewhere/node_modules', 'lib', 'linked'],
    ],
    [
      'a script by its working folder',
      ['src/plugin.ts'],
      ['app', 'lib', 'store/node_modules'],
      { cwd: at('app') },
    ],
    ['a file without a package: its folder', [at('plain/run.py')], ['plain']],
    ['a folder: that', [at('data')], ['data']],
    ['a file that is not there: nothing', [at('missing/run.py')], []],
    ['an option: nothing', [`--config=${at('plain/run.py')}`], []],
    ['a command behind --: its program', ['--', at('venv/bin/python')], ['venv']],
    [
      'what was installed: that alone',
      [at('install/files/cli.js')],
      ['install/files'],
      { files: [at('install/files')] },
    ],
    ['a folder of its reach', [], ['data'], { reach: { folders: [{ path: at('data'), access: 'read' }] } }],
  ]
  verifies.each('wall.plugin.view')(cases)('%s', (_, args, folders, more = {}) =>
    expect(seen(args, more).sort()).toEqual(folders.map(at).sort()),
  )

  verifies('wall.plugin.view', 'a program of an environment: all of that', () =>
    expect(seen([], {}, at('venv/bin/python'))).toEqual([at('venv')]),
  )

  verifies.each('wall.plugin.view')([
    ['of npm, hoisted to a workspace', 'ws/node_modules/.bin/cli', ['ws/node_modules', 'store/node_modules']],
    ['of pnpm, a script that names its package', 'pnpm/node_modules/.bin/shim', ['pnpm/node_modules']],
  ])('a program of an installed package %s: what it imports too', (_, program, folders) => {
    const inner = ['main.ts', '--', at(program)]
    for (const found of [seen([], {}, at(program)), seen(inner)])
      expect([...found].sort()).toEqual(folders.map(at).sort())
  })

  verifies.each('wall.plugin.view')([
    ['/'],
    [homedir()],
    [dirname(homedir())],
    [tmpdir()],
    ['/etc'],
    ['/var/lib'],
    ['/proc/1'],
  ])('never %s as a whole', (folder) => {
    const { readable } = viewOf({ program: '/bin/sh', args: [folder], cwd: folder }, '/usr/bin')
    expect(readable).not.toContain(folder)
  })

  verifies('wall.plugin.view', 'may write where its reach says, and there alone', () => {
    const reach = { folders: [{ path: at('data'), access: 'write' as const }] }
    expect(viewOf({ program: '/bin/sh', args: [at('plain/run.py')], cwd: '/', reach }, '').writable).toEqual([
      at('data'),
    ])
  })
})
