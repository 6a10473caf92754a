import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, describe, expect, it } from 'vitest'
import { isWithin } from './paths.ts'
import { type ProcessStart, viewOf } from './view.ts'

const place = realpathSync(tmpdir())
const root = mkdtempSync(join(place, 'svc-view-rules-'))
const dashed = mkdtempSync(join(place, '-svc-view-'))
afterAll(() => {
  for (const folder of [root, dashed]) rmSync(folder, { recursive: true })
})
const at = (path: string) => join(root, path)
function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), '', { mode: 0o755 })
  }
}
function link(from: string, to: string): void {
  mkdirSync(dirname(at(from)), { recursive: true })
  symlinkSync(at(to), at(from))
}

const viewed = (started: Partial<ProcessStart>) =>
  viewOf({ program: '/bin/sh', args: [], cwd: '/', ...started }, '/usr/bin').readable
/** What every process sees here: the Node of the runner. */
const always = new Set(viewed({}))
/** What is seen besides, whatever and wherever it is; in the folder of this test by its path in there. */
const seen = (started: Partial<ProcessStart>) =>
  viewed(started)
    .filter((path) => !always.has(path))
    .map((path) => (isWithin(root, path) ? path.slice(root.length + 1) : path))
    .sort()

it('shows the Node of the runner', ({ skip }) => {
  skip(
    /^\/(usr|bin)\//.test(process.execPath),
    'a Node in /usr is seen with the system: put that of node_modules/.bin first on PATH',
  )
  expect([...always].some((folder) => isWithin(folder, process.execPath))).toBe(true)
})

put(
  'brew/Cellar/tool/1/bin/tool',
  'manager/shims/python',
  'kit/lib/x',
  'kit/bin/x',
  'kit/tools/x',
  'bare/bin/x',
)
put('pack/package.json', 'pack/lib/x', 'pack/files/cli.js', 'pack/files/sub/x', 'data/x', 'nest/inner/run.py')
describe('a program', () => {
  verifies.each('wall.plugin.view')([
    ['of Homebrew: all of that, whose programs lean on each other', 'brew/Cellar/tool/1/bin/tool', ['brew']],
    ['behind a shim: all of its manager', 'manager/shims/python', ['manager']],
    ['in bin with lib beside it: both', 'kit/bin/x', ['kit']],
    ['beside lib, and not in bin: its folder', 'kit/tools/x', ['kit/tools']],
    ['in bin without lib: its folder', 'bare/bin/x', ['bare/bin']],
  ])('%s', (_name, program, expected) => {
    expect(seen({ program: at(program) })).toEqual(expected)
  })

  verifies('wall.plugin.view', 'in a folder of all kinds of things: it alone', () => {
    const program = join(place, `${basename(root)}-tool`)
    expect(seen({ program })).toEqual([program])
  })

  verifies('wall.plugin.view', 'that was installed: no more than that, though lib is beside it', () => {
    expect(seen({ program: at('kit/bin/x'), files: [at('kit/bin')] })).toEqual(['kit/bin'])
  })

  put('py/lib/x', 'py/bin/python3.12', 'solo/python3', 'made/in/py/bin/python3', 'made/in/deep/x')
  link('deep', 'made/in/deep')
  verifies.each('wall.plugin.view')([
    ['a Python with its libraries: both', 'py/bin/python3.12', ['py']],
    ['a Python without: it alone', 'solo/python3', ['solo/python3']],
    ['another program: nothing', 'kit/bin/x', []],
    ['a Python in its own folder, by words that name another: nothing', 'deep/../py/bin/python3', []],
  ])('that was installed and leads out to %s', (_name, to, expected) => {
    const program = mkdtempSync(at('made/'))
    symlinkSync(`${root}/${to}`, join(program, 'x'))
    expect(seen({ program: join(program, 'x'), files: [at('made')] })).toEqual(['made', ...expected])
  })

  put('inter/x', 'vault/key')
  writeFileSync(at('inter/good'), `#!${at('kit/bin/x')} -a\n`)
  writeFileSync(at('inter/bad'), `#!${at('vault/key')}\n`)
  chmodSync(at('vault/key'), 0o644)
  verifies.each('wall.plugin.view')([
    ['can be run: that as well', 'inter/good', ['inter', 'kit']],
    ['cannot be run: nothing more', 'inter/bad', ['inter']],
  ])('whose first line names what %s', (_name, program, expected) => {
    expect(seen({ program: at(program) })).toEqual(expected)
  })

  put('wide/bin/x', 'wide/share/x')
  verifies('wall.plugin.view', 'in bin with share beside it: both', () => {
    expect(seen({ program: at('wide/bin/x') })).toEqual(['wide'])
  })

  verifies('wall.plugin.view', 'that was installed: not what its first line or its folder names', () => {
    const files = [at('inter')]
    expect(seen({ program: at('inter/good'), files })).toEqual(['inter'])
    expect(seen({ program: at('inter/good'), args: ['--', at('inter/good')], files })).toEqual(['inter'])
  })

  verifies('wall.plugin.view', 'that is named as a file, and not behind --, is a file', () => {
    expect(seen({ args: [at('kit/bin/x')] })).toEqual(['kit/bin'])
    expect(seen({ args: ['--', at('kit/bin/x')] })).toEqual(['kit'])
  })

  verifies('wall.plugin.view', 'behind links is followed over so many of them', () => {
    for (let n = 0; n < 45; n += 1) link(`chain/${n}/x`, `chain/${n + 1}/x`)
    expect(seen({ program: at('chain/0/x') })).toHaveLength(40)
  })
})

describe('a word of a command', () => {
  const name = basename(root)
  verifies.each('wall.plugin.view')<[string, Partial<ProcessStart>, readonly string[]]>([
    ['that may be a word: nothing', { args: [name], cwd: place }, []],
    ['with a folder in it', { args: [`${name}/data`], cwd: place }, ['data']],
    ['with an absolute folder', { args: [at('data')] }, ['data']],
    [
      'that begins with a dash: an option',
      { args: [`${basename(dashed)}/x.py`, `${basename(dashed)}/`], cwd: place },
      [],
    ],
    [
      'of what was installed: that alone',
      { args: [at('pack/files/cli.js')], files: [at('pack/files')] },
      ['pack/files'],
    ],
    ['in another one: the outer one', { args: [at('nest/inner/run.py'), at('nest')] }, ['nest']],
  ])('%s', (_name, started, expected) => {
    expect(seen(started)).toEqual(expected)
  })

  verifies('wall.plugin.view', 'that names a file in a folder of all kinds of things: it alone', () => {
    const file = join(place, `${name}.py`)
    writeFileSync(file, '')
    try {
      expect(seen({ args: [basename(file)], cwd: place })).toEqual([file])
    } finally {
      rmSync(file)
    }
  })
})

describe('a working folder', () => {
  verifies.each('wall.plugin.view')<[string, Partial<ProcessStart>, readonly string[]]>([
    ['is seen', { cwd: at('data') }, ['data']],
    ['around what was installed is seen', { cwd: at('pack'), files: [at('pack/files')] }, ['pack']],
    [
      'in what was installed is that',
      { cwd: at('pack/files/sub'), files: [at('pack/files')] },
      ['pack/files'],
    ],
    ['of all kinds of things is not', { cwd: join(homedir(), '.local') }, []],
  ])('%s', (_name, started, expected) => {
    expect(seen(started)).toEqual(expected)
  })
})

describe('what a script imports', () => {
  put('ws/app/package.json', 'ws/app/run.js', 'ws/node_modules/near/index.js', 'scoped/index.js')
  put('loose/run.mjs', 'store/node_modules/far/index.js', 'odd/run.js', 'odd/node_modules')
  link('ws/node_modules/@scope/pkg', 'scoped')
  link('ws/node_modules/.bin/near', 'ws/node_modules/near/index.js')
  link('loose/node_modules/far', 'store/node_modules/far')
  mkdirSync(at('ws/node_modules/plain'))
  link('ws/node_modules/plain/elsewhere', 'data')

  verifies.each('wall.plugin.view')<[string, readonly string[]]>([
    ['ws/app/run.js', ['scoped', 'ws/app', 'ws/node_modules']],
    ['loose/run.mjs', ['loose', 'store/node_modules']],
    ['odd/run.js', ['odd']],
  ])('%s', (file, expected) => {
    expect(seen({ args: [at(file)] })).toEqual(expected)
  })

  verifies('wall.plugin.view', 'is followed in turn, over so many folders', () => {
    put('many/package.json', 'many/run.js')
    for (let n = 0; n < 300; n += 1) {
      put(`p/${n}/index.js`, `q/${n}/index.js`)
      link(`many/node_modules/${n}`, `p/${n}`)
      link(`p/${n}/node_modules/q`, `q/${n}`)
    }
    const found = seen({ args: [at('many/run.js')] })
    expect(found.filter((path) => path.startsWith('p/'))).toHaveLength(300)
    expect(found.filter((path) => path.startsWith('q/'))).toHaveLength(255)
  })
})
