import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Host } from '@svc/host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openHost } from '../testing/open-host.ts'
import { runHere } from '../testing/run-here.ts'
import { makeTinyApp } from '../testing/tiny-app.ts'
import { readBundle } from './bundle-files.ts'

/** A command is a process, and Vite builds in some of them. */
const SLOW_MS = 60_000
let host: Host
let url = ''
beforeAll(async () => {
  ;({ host, url } = await openHost())
})
afterAll(() => host.close())

let dir = ''
let files = { 'manifest.json': '', 'index.html': '' }
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-app-'))
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] }
  files = {
    'manifest.json': JSON.stringify({ schema: 3, name: 'Pushed', ui }),
    'index.html': '<!doctype html>',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), String(text))
})
afterEach(() => rmSync(dir, { recursive: true }))

const app = (...args: string[]) => runHere(['app', ...args], { cwd: dir })
const signedIn = () => ['--host', url, '--user', 'ada']
const note = () => JSON.parse(readFileSync(path.join(dir, 'svc.app.json'), 'utf8')) as object

describe('svc app', { timeout: SLOW_MS }, () => {
  it('registers at the first push, remembers it, and releases', async () => {
    const first = await app('push', '.', '--slug', 'my-app', ...signedIn())
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('svc: sends 1 file, 15 bytes') })
    expect(first.out).toMatch(
      /^registered my-app as app_\w+; the id is in svc.app.json\npushed my-app 0\.0\.0-draft: 1 file, 15 bytes\n$/,
    )
    expect(note()).toEqual({ app_id: expect.stringMatching(/^app_/), slug: 'my-app' })

    const second = await app('push', '--json', ...signedIn())
    expect(JSON.parse(second.out)).toMatchObject({ ok: true, ...note(), registered: false, files: 1 })

    expect(await app('release', '1.0.0', ...signedIn())).toMatchObject({
      code: 0,
      out: 'released my-app 1.0.0\n',
    })
    const again = await app('release', '1.0.0', ...signedIn())
    expect([again.code, again.err]).toEqual([6, expect.stringContaining('svc: the version 1.0.0')])
  })

  it('tells which versions of plugins a release keeps', async () => {
    const { tool_id } = await host.publishing.create('ada', {
      name: 'Weather',
      type: 'tool',
      manifest: { name: 'weather', version: '1.2.0', tools: [] },
      distribution: { type: 'npm', package_name: 'weather', version: '1.0.0' },
    })
    const manifest = { ...JSON.parse(files['manifest.json']), required_plugs: [tool_id] }
    writeFileSync(path.join(dir, 'manifest.json'), JSON.stringify(manifest))
    await app('push', '.', '--slug', 'windy', ...signedIn())
    expect(await app('release', '1.0.0', ...signedIn())).toMatchObject({
      code: 0,
      out: `released windy 1.0.0\n  keeps ${tool_id} at 1.2.0\n`,
    })
  })

  it('says at the push what the host lacks, and does not release what requires it', async () => {
    const { ui, ...rest } = JSON.parse(files['manifest.json'])
    const host_api = { tools: ['required:weather'], web: ['search'] }
    const required_plugs = [{ handle: 'weather' }]
    writeFileSync(
      path.join(dir, 'manifest.json'),
      JSON.stringify({ ...rest, ui: { ...ui, host_api }, required_plugs }),
    )
    const said = [
      '  ! manifest.json required_plugs.0: this host has no plugin "weather", so a release is refused\n',
      '  ! manifest.json ui.host_api.web: this host does not have what is behind web.search\n',
    ]
    const lint = await app('lint', ...signedIn())
    for (const line of said) expect(lint.out).toContain(line)
    const pushed = await app('push', '.', '--slug', 'lacking', ...signedIn())
    expect(pushed.code).toBe(0)
    for (const line of said) expect(pushed.err).toContain(line)

    const refused = await app('release', '1.0.0', ...signedIn())
    expect(refused).toMatchObject({
      code: 6,
      err: expect.stringContaining('the app cannot work here: this host has no plugin "weather"'),
    })
    expect(refused.err).toContain('svc app release --force')
    expect(await app('release', '1.0.0', '--force', ...signedIn())).toMatchObject({
      code: 0,
      out: 'released lacking 1.0.0\n',
    })
  })

  it('builds what has sources', async () => {
    const tiny = makeTinyApp('export const svc = {}')
    try {
      const { code, out, err } = await runHere(['app', 'push', tiny.dir, '--slug', 'tiny', ...signedIn()], {
        cwd: dir,
      })
      expect([code, out]).toEqual([0, expect.stringContaining('pushed tiny 0.0.0-draft')])
      expect(err).toContain('svc: builds svc-tiny-')
    } finally {
      tiny.remove()
    }
  })

  it('lints, and pushes nothing that the host would refuse', async () => {
    expect(await app('lint')).toMatchObject({ code: 0, out: expect.stringContaining('can be pushed.') })
    rmSync(path.join(dir, 'index.html'))
    const lint = await app('lint', '--json')
    const problem = 'there is no file "index.html"'
    expect([lint.code, JSON.parse(lint.out)]).toMatchObject([
      1,
      { ok: false, findings: [{ level: 'error', problem }] },
    ])
    const push = await app('push', ...signedIn())
    expect([push.code, push.err]).toEqual([
      1,
      expect.stringContaining(`cannot be pushed: manifest.json ui.bundle.entry: ${problem}`),
    ])
  })

  it.each([
    [['release', '1.0.0'], 3, 'there is no svc.app.json in /'],
    [['release'], 2, 'Missing required positional argument: VERSION'],
    [['push', 'gone'], 2, 'no host was named'],
    [['lint', 'gone'], 3, 'there is no folder gone'],
  ])('%j ends in a sentence and a code', async (args, code, sentence) => {
    const ended = await app(...args)
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(sentence)])
  })
})

describe('the files of a bundle', () => {
  it('are all plain ones, without the manifest and what svc itself remembers', async () => {
    mkdirSync(path.join(dir, 'img'))
    writeFileSync(path.join(dir, 'img/a.svg'), '<svg/>')
    writeFileSync(path.join(dir, 'svc.app.json'), '{}')
    symlinkSync('index.html', path.join(dir, 'same.html'))
    const { files: found, problems, manifest } = await readBundle(dir)
    expect([...found.keys()].sort()).toEqual(['img/a.svg', 'index.html', 'same.html'])
    expect([problems, 'value' in manifest]).toEqual([[], true])
  })

  it('are neither secrets nor what no browser needs, and each of these is named', async () => {
    for (const name of [
      '.env',
      'server.key',
      '.DS_Store',
      'index.html~',
      '.git/config',
      'node_modules/a/index.js',
    ]) {
      mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
      writeFileSync(path.join(dir, name), 'x')
    }
    writeFileSync(path.join(dir, 'main.js.map'), '{"version":3,"mappings":""}')
    writeFileSync(path.join(dir, 'level.map'), 'walls')
    const { files: found, leftOut, problems } = await readBundle(dir)
    expect([...found.keys()].sort()).toEqual(['index.html', 'level.map'])
    expect([...leftOut.values()].flat().sort()).toEqual([
      '.DS_Store',
      '.env',
      '.git/',
      'index.html~',
      'main.js.map',
      'node_modules/',
      'server.key',
    ])
    expect(problems).toEqual([])
    expect((await readBundle(dir, { maps: true })).files.has('main.js.map')).toBe(true)
  })

  it('break the rules by links out of the folder, and by names', async () => {
    symlinkSync('/etc/hostname', path.join(dir, 'out'))
    symlinkSync('gone', path.join(dir, 'nowhere'))
    writeFileSync(path.join(dir, 'a\\b'), '')
    writeFileSync(path.join(dir, 'INDEX.html'), '')
    expect((await readBundle(dir)).problems.toSorted()).toEqual([
      'nowhere must be a plain file inside the folder of the app',
      'out must be a plain file inside the folder of the app',
      'the path "a\\\\b" must not have a backslash',
      expect.stringMatching(/^the path "(INDEX|index)\.html" is in it twice, but for case or accents$/),
    ])
  })
})
