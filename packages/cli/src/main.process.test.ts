import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { withoutNpm } from './testing/cli.ts'
import { runHere } from './testing/run-here.ts'
import { makeTypesApp } from './testing/types-app.ts'

/** On a fresh machine the shell is built first. */
const BUILD_MS = 60_000
/** A command is a process that reads its modules. */
const COMMAND_MS = 20_000
const main = path.join(import.meta.dirname, 'main.ts')
let dir = ''
let child: ChildProcess | undefined
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-main-'))
  const views = [{ name: 'main' }]
  const manifest = {
    schema: 3,
    name: 'Built',
    version: '1.0.0',
    ui: { bundle: { entry: 'index.html' }, views },
  }
  mkdirSync(path.join(dir, 'app'))
  writeFileSync(path.join(dir, 'app/manifest.json'), JSON.stringify(manifest))
  writeFileSync(path.join(dir, 'app/index.html'), '<!doctype html><title>Built</title>')
  writeFileSync(
    path.join(dir, 'svc.config.json'),
    JSON.stringify({ signIn: 'dev', port: 0, apps: [{ dir: 'app' }] }),
  )
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

/** Starts svc; `line` waits for the first line of stdout, `said` for one that matches. */
function svc(...args: string[]) {
  const started = spawn(process.execPath, [main, ...args], {
    cwd: dir,
    env: withoutNpm(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = started
  let out = ''
  let err = ''
  started.stderr.on('data', (chunk) => {
    err += chunk
  })
  const line = new Promise<string>((resolve) => {
    started.stdout.on('data', (chunk) => {
      out += chunk
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')))
    })
  })
  async function said(wanted: RegExp): Promise<void> {
    while (!wanted.test(out)) await once(started.stdout, 'data')
  }
  const ended = once(started, 'close').then(([code]) => ({ code: code as number | null, out, err }))
  return { started, line, said, ended }
}

describe('svc', { timeout: COMMAND_MS }, () => {
  it.each([
    [[], 0, 'dev'],
    [['--help'], 0, 'serve'],
    [['plug', 'check', '--help'], 0, 'svc plug check [OPTIONS] -- <command>'],
    [['dev', '--help'], 0, '--storage'],
    [['plug'], 0, 'publish'],
    [['app', '-h'], 0, 'release'],
    [['app', 'push', '--help'], 0, '--cookie-file'],
    [['types', '--help'], 0, '--check'],
    [['plug', 'types', '--help'], 0, '--name'],
    [['runner', '--help'], 0, '--isolation'],
    [['doctor'], 0, 'isolation of plugins: '],
    [['doctor'], 0, 'limits of plugins: '],
    [['doctor', '--json'], 0, '{"isolation":{"walls":'],
  ])('%j prints its usage', async (args, code, word) => {
    const end = await runHere(args, { cwd: dir })
    expect(end.code).toBe(code)
    expect(end.out).toContain(word)
  })

  it.each([
    [['fly'], 2, 'svc: there is no command fly'],
    [['plug', 'fly'], 2, 'svc: there is no command fly'],
    [['plug', 'check', '--tol', 'a', '--', 'node'], 2, 'svc: there is no option --tol'],
    [['plug', 'check', '--tool', 'a'], 2, 'svc: no command was named'],
    [['plug', 'check', '--args', '{}', '--', 'node'], 2, 'svc: --args is given without --tool'],
    [['plug', 'call', '--timeout', '1', '--', 'node'], 2, 'svc: --timeout must be a whole number of ms'],
    [['app', 'push', '--hots', 'x'], 2, 'svc: there is no option --hots'],
    [['runner', '--token', 'x'], 2, 'svc: there is no option --token'],
    [['types', '--chek'], 2, 'svc: there is no option --chek'],
    [['types', 'gone'], 3, 'svc: there is no folder gone'],
    [['dev', '--prot', '1'], 2, 'svc: there is no option --prot'],
    [['dev', '.', '--port', 'x'], 2, 'svc: --port must be a whole number from 0 to 65535, got "x"'],
    [
      ['dev', '.', '--storage', 'disk'],
      2,
      'svc: --storage must be "window-state" or "persistent", got "disk"',
    ],
    [
      ['dev', '.', '--isolation', 'some'],
      2,
      'svc: --isolation must be "auto", "required" or "none", got "some"',
    ],
    [
      ['app', 'check', '.', '--isolation', 'some'],
      2,
      'svc: --isolation must be "auto", "required" or "none"',
    ],
    [['dev', 'gone'], 3, 'svc: there is no folder gone'],
    [['serve', '--config', 'gone.js'], 3, 'svc: there is no gone.js here'],
  ])('%j ends with %d and a sentence', async (args, code, sentence) => {
    const end = await runHere(args, { cwd: dir })
    expect([end.code, end.out]).toEqual([code, ''])
    expect(end.err).toContain(sentence)
  })

  it('tells a program what went wrong on stdout, and a person on stderr', async () => {
    const end = await svc('plug', 'check', '--json').ended
    const message = 'no command was named'
    const hint = 'Write it after two dashes: svc plug check -- node plugin.ts'
    expect(JSON.parse(end.out)).toEqual({ ok: false, error: { kind: 'usage', message, hint } })
    expect(end.err).toBe(`svc: ${message}\n     ${hint}\n`)
  })

  it('hands the options behind the dashes to the plugin', async () => {
    writeFileSync(
      path.join(dir, 'plugin.mjs'),
      `process.stdin.on('data', (line) => {
        const { id, method } = JSON.parse(line)
        const output = process.argv.slice(2)
        const tools = [{ name: 'argv', parameters: [] }]
        const result = method === 'describe' ? { name: 'argv', tools } : { output }
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })`,
    )
    const end = await svc('plug', 'call', '--json', '--', 'node', 'plugin.mjs', '--help', '--json').ended
    expect(JSON.parse(end.out)).toMatchObject({ ok: true, output: { value: ['--help', '--json'] } })
    expect([end.code, end.err]).toEqual([0, ''])
  })

  it(
    'dev says what runs, serves the page, and ends cleanly on Ctrl-C',
    async () => {
      const { started, line, ended } = svc('dev', 'app', '--port', '0', '--json', '--data', 'kept')
      const report = JSON.parse(await line) as { url: string; data: string; apps: { name: string }[] }
      expect(report.apps).toMatchObject([{ name: 'app' }])
      expect(report.data).toBe(path.join(realpathSync(dir), 'kept'))
      expect(existsSync(path.join(dir, 'kept/svc.db'))).toBe(true)
      expect(await (await fetch(report.url)).text()).toContain('<div id="root">')
      started.kill('SIGINT')
      expect(await ended).toMatchObject({ code: 0, err: '' })
      await expect(fetch(report.url)).rejects.toThrow()
    },
    BUILD_MS,
  )

  it('dev --types says in a line that it wrote the types of an app', { timeout: BUILD_MS }, async () => {
    const app = makeTypesApp()
    onTestFinished(() => app.remove())
    app.key({ plugins: [app.plugin('sums', [{ name: 'add' }])] })
    app.declare('sums')
    const { started, line, ended } = svc('dev', app.dir, '--port', '0', '--types')
    const said = new Promise<string>((resolve) =>
      started.stderr.on('data', (chunk) => {
        const found = /^.*svc-env.*$/m.exec(String(chunk))
        if (found) resolve(found[0])
      }),
    )
    expect(await said).toMatch(/^svc: src\/svc-env\.d\.ts of svc-typed-\S+ was written$/)
    expect(app.read('src/svc-env.d.ts')).toContain('      add: {')
    await line
    started.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0 })
  })

  it(
    'serve says in a sentence what of its config cannot be used',
    async () => {
      const refused = async (config: object) => {
        writeFileSync(
          path.join(dir, 'svc.config.json'),
          JSON.stringify({ signIn: 'dev', port: 0, ...config }),
        )
        const { code, err } = await runHere(['serve'], { cwd: dir })
        return [code, err.split('\n').find((line) => line.startsWith('svc: '))]
      }
      expect(await refused({ basePath: 'svc/' })).toEqual([
        3,
        expect.stringMatching(/: basePath must be a path such as \/svc: .*, got "svc\/"$/),
      ])
      expect(await refused({ apps: [{ dir: 'gone' }] })).toEqual([
        3,
        expect.stringMatching(/^svc: apps\[0\]\.dir \S+gone is not there$/),
      ])
      expect(await refused({ data: 'app/svc-data', apps: [{ dir: 'app' }] })).toEqual([
        3,
        expect.stringMatching(
          /^svc: the data folder \S+ is inside the app folder \S+, whose files browsers may read$/,
        ),
      ])
      expect(await refused({ data: 'svc.config.json' })).toEqual([
        3,
        expect.stringMatching(
          /^svc: data \S+svc.config.json cannot be a folder: \S+svc.config.json is a file$/,
        ),
      ])
    },
    BUILD_MS,
  )

  verifies(
    'data.serve',
    'serve starts from a config file',
    async () => {
      const { started, line, said, ended } = svc('serve')
      const [, url = '', query] = /(http:\S+)(\/\?\S+?);/.exec(await line) ?? []
      expect(query).toMatch(/^\/\?token=[\w-]{32,}$/)
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      await said(/^ {2}path +\/$/m)
      started.kill('SIGTERM')
      const { code, out, err } = await ended
      expect(code).toBe(0)
      for (const row of [
        /^ {2}apps +app$/m,
        /^ {2}tools +none$/m,
        /^ {2}state +in the folder \S+svc-data$/m,
        /^ {2}sign-in +by name, for whoever has the start token$/m,
        /^ {2}models +/m,
        /^ {2}path +\/$/m,
      ])
        expect(out).toMatch(row)
      const log = err
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).msg)
      expect(log).toEqual([
        expect.stringMatching(/state: in the folder \S+svc-data;/),
        `svc host listens at ${url}`,
      ])
    },
    BUILD_MS,
  )

  it(
    'serve says loudly that it keeps nothing, where it was told so',
    async () => {
      const { started, said, ended } = svc('serve', '--data', 'memory')
      await said(/^ {2}path +\/$/m)
      started.kill('SIGTERM')
      const { out, err } = await ended
      expect(err).toMatch(/^svc: NOTHING IS KEPT: /m)
      expect(out).toMatch(/^ {2}state +in memory: gone with the process$/m)
      expect(existsSync(path.join(dir, 'svc-data'))).toBe(false)
    },
    BUILD_MS,
  )

  verifies(
    'data.serve',
    'serve refuses a data folder that another process uses, and names it',
    async () => {
      const first = svc('serve')
      await first.line
      expect(await svc('serve', '--check').ended).toMatchObject({ code: 0 })
      const second = await svc('serve').ended
      expect([second.code, second.err.split('\n')[0]]).toEqual([
        3,
        expect.stringMatching(
          new RegExp(`^svc: the data folder \\S+ is in use by process ${first.started.pid}$`),
        ),
      ])
      first.started.kill('SIGKILL')
      await first.ended
      const third = svc('serve')
      expect(await third.line).toContain('svc serves')
    },
    BUILD_MS,
  )
})
