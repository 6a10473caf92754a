import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runHere } from '../testing/run-here.ts'
import { makeTypesApp, type TypesApp } from '../testing/types-app.ts'

/** A command is a process that reads its modules, and starts others. */
const COMMAND_MS = 30_000
const FILE = 'src/svc-env.d.ts'
const mcp = path.join(import.meta.dirname, '../../../runner/src/testing/tiny-mcp.mjs')

let app: TypesApp
beforeEach(() => {
  app = makeTypesApp()
})
afterEach(() => app.remove())

const types = (...args: readonly string[]) => runHere(['types', ...args], { cwd: app.dir })
/** An app with two plugins, one of them optional in its manifest. */
function useTwo(): void {
  const sums = app.plugin('sums', [
    { name: 'add', parameters: [{ name: 'a', type: 'number', required: true }] },
  ])
  app.key({ plugins: [sums, app.plugin('words', [{ name: 'count' }, { name: 'list' }])] })
  app.declare('sums', { handle: 'words' })
}

describe('svc types', { timeout: COMMAND_MS }, () => {
  it('writes what the plugins of the app say, and says so', async () => {
    useTwo()
    const end = await types()
    expect([end.code, end.out]).toEqual([0, `${FILE} was written: sums (1 tool), words (2 tools)\n`])
    expect(app.read(FILE)).toMatch(/^\/\/ Written by `svc types`: .*\n\/\/ .*svc types\n/)
    expect(app.read(FILE)).toContain('          a: number\n')
    expect((await types()).out).toBe(`${FILE} is up to date: sums (1 tool), words (2 tools)\n`)
  })

  verifies('types.check', 'with --check it says what differs, ends with 1 and writes nothing', async () => {
    useTwo()
    expect(await types('--check')).toMatchObject({
      code: 1,
      out: `there is no ${FILE}; to write it: svc types\n`,
    })
    expect(app.read(FILE)).toBeNull()
    await types()
    expect(await types('--check')).toMatchObject({ code: 0 })
    const before = app.read(FILE)
    useTwo()
    app.plugin('sums', [{ name: 'add', parameters: [{ name: 'a', type: 'string', required: true }] }])
    expect(await types('--check')).toMatchObject({
      code: 1,
      out: `${FILE} is not what the plugins say now; to renew it: svc types\n  -           a: number\n  +           a: string\n`,
    })
    expect(app.read(FILE)).toBe(before)
  })

  it('reads a file whose lines end as on Windows as the same', async () => {
    useTwo()
    await types()
    app.put(FILE, app.read(FILE)?.replaceAll('\n', '\r\n') ?? '')
    expect(await types('--check')).toMatchObject({ code: 0 })
  })

  it('with --json it prints one line', async () => {
    useTwo()
    const plugins = [
      { slug: 'sums', tools: ['add'] },
      { slug: 'words', tools: ['count', 'list'] },
    ]
    const report = { ok: true, file: FILE, plugins, open: [], diff: [] }
    expect(JSON.parse((await types('--json')).out)).toEqual({ ...report, did: 'written' })
    app.put(FILE, `${app.read(FILE)}// more\n`)
    const end = await types('--check', '--json')
    const differs = { ...report, ok: false, did: 'differs', diff: ['- // more'] }
    expect([end.code, JSON.parse(end.out)]).toEqual([1, differs])
  })

  it('names plugins that it cannot ask, and those that the app cannot call', async () => {
    app.key({ plugins: [app.plugin('sums', [{ name: 'add' }]), app.plugin('spare', [])] })
    app.declare('sums', 'tool-ada-weather-1', { tool_id: 'tool-ada-maps-1', handle: 'maps' })
    const end = await types('--json')
    expect(JSON.parse(end.out)).toMatchObject({ open: ['tool-ada-weather-1', 'tool-ada-maps-1', 'maps'] })
    expect(end.err).toContain(
      'svc: spare is in svc.plugins and not in the manifest, so the app cannot call it\n',
    )
    expect(end.err).toContain('svc: maps is not in svc.plugins, so calls of it are not checked\n')
    expect(app.read(FILE)).toContain(
      "  interface OpenTools {\n    maps: unknown\n    'tool-ada-maps-1': unknown\n",
    )
  })

  it('declares nothing for an app without plugins, and says so', async () => {
    const end = await types()
    expect(end.code).toBe(0)
    expect(end.out).toMatch(
      /^src\/svc-env\.d\.ts was written: svc-typed-\S+ declares no plugins, so it declares no tools\n$/,
    )
    expect(app.read(FILE)).toContain('  interface KnownTools {}\n')
  })

  it('asks an MCP server', async () => {
    app.key({ plugins: [{ slug: 'tiny', command: ['node', mcp], protocol: 'mcp' }] })
    app.declare('tiny')
    expect(await types()).toMatchObject({ code: 0, out: expect.stringContaining('tiny (1 tool)') })
  })

  it('says in a sentence and a hint what is wrong', async () => {
    app.key({ plugins: [{ slug: 'sums', command: ['svc-no-such-program'] }] })
    app.declare('sums')
    const end = await types('--json')
    const error = {
      kind: 'failed',
      code: 'plug_unavailable',
      message: expect.any(String),
      hint: expect.any(String),
      docs: 'docs/reference/errors.md#plug_unavailable',
    }
    expect([end.code, JSON.parse(end.out)]).toEqual([1, { ok: false, error }])
    expect(app.read(FILE)).toBeNull()
  })

  it('writes where the option, else package.json says', async () => {
    app.key({ types: 'src/tools.d.ts' })
    app.put('lib/a.ts', '')
    expect((await types('--out', 'lib/b.d.ts')).out).toContain('lib/b.d.ts was written')
    expect((await types()).out).toContain('src/tools.d.ts was written')
  })
})

describe('svc plug types', { timeout: COMMAND_MS }, () => {
  const plug = (...args: readonly string[]) => runHere(['plug', 'types', ...args], { cwd: app.dir })

  it('writes the tools of a command under the name of its plugin', async () => {
    const { command } = app.plugin('sums', [{ name: 'add' }])
    const end = await plug('--', ...command)
    expect(end).toMatchObject({ code: 0, out: 'svc-tools.d.ts was written: sums (1 tool)\n' })
    expect(app.read('svc-tools.d.ts')).toContain('    sums: {\n      add: {\n')
    expect(await plug('--check', '--', ...command)).toMatchObject({ code: 0 })
    const other = await plug('--check', '--name', 'adder', '--json', '--', ...command)
    expect([other.code, JSON.parse(other.out)]).toMatchObject([1, { ok: false, did: 'differs' }])
  })

  it.each([
    [{ tool_id: 'tool-ada-sums-1', slug: 'adder' }, 'tool-ada-sums-1'],
    [{ slug: 'adder' }, 'adder'],
    [{}, 'sums'],
  ])('takes the name from svc.plug.json %j', async (keys, name) => {
    const { command } = app.plugin('sums', [{ name: 'add' }])
    app.put('svc.plug.json', JSON.stringify({ name: 'Sums', type: 'tool', command, ...keys }))
    expect((await plug('--out', 'src/sums.d.ts')).out).toBe(`src/sums.d.ts was written: ${name} (1 tool)\n`)
  })

  it.each([
    [['--'], 2, 'svc: no command was named'],
    [['--name', '', '--', 'node'], 2, 'svc: --name must have 1 to 256 characters, got ""'],
    [['gone'], 3, 'svc.plug.json is not there'],
    [['--', 'svc-no-such-program'], 1, 'there is no program "svc-no-such-program" here'],
  ])('%j ends with %d and a sentence', async (args, code, sentence) => {
    const end = await plug(...args)
    expect([end.code, end.out]).toEqual([code, ''])
    expect(end.err).toContain(sentence)
  })

  verifies('types.hostile', 'the name of a plugin does not end the first line', async () => {
    const { command } = app.plugin('x', [])
    app.put(
      'plugin/x.mjs',
      app.read('plugin/x.mjs')?.replace('"name":"x"', '"name":"a\\u2028evil: true"') ?? '',
    )
    const { out } = await plug('--', ...command)
    expect(out).toBe('svc-tools.d.ts was written: a\\u2028evil: true (0 tools)\n')
    expect(
      app
        .read('svc-tools.d.ts')
        ?.split(/[\n\u2028]/)
        .slice(0, 3),
    ).toEqual([
      "// Written by `svc plug types`: the tools of 'a\\u2028evil: true', as the plugin describes them.",
      '// Do not edit it; to renew it: svc plug types',
      '',
    ])
  })
})
