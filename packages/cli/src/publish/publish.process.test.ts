import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import type { Host } from '@svc/host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openHost } from '../testing/open-host.ts'
import { runHere } from '../testing/run-here.ts'
import { PLUG_FILE } from './plug-file.ts'

/** A command is a process, and a publish starts the plugin too. */
const SLOW_MS = 30_000
let host: Host
let url = ''
beforeAll(async () => {
  ;({ host, url } = await openHost())
})
afterAll(() => host.close())

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-publish-'))
  describes({ name: 'weather', version: '1.0.0', tools: [{ name: 'today', parameters: [] }] })
  writeFile({})
})
afterEach(() => rmSync(dir, { recursive: true }))

/** What the plugin answers to describe. */
function describes(manifest: object): void {
  const file = path.join(dir, 'plugin.mjs')
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 'describe', result: manifest })
  writeFileSync(
    file,
    `#!/usr/bin/env node\nprocess.stdin.once('data', () => console.log(${JSON.stringify(answer)}))\n`,
  )
  chmodSync(file, 0o755)
}

function writeFile(more: object): void {
  const named = { name: 'Weather', type: 'tool', slug: 'weather', command: ['node', 'plugin.mjs'] }
  const distribution = { type: 'local', path: 'plugin.mjs' }
  writeFileSync(path.join(dir, PLUG_FILE), JSON.stringify({ ...named, distribution, ...more }))
}

const noted = () =>
  JSON.parse(readFileSync(path.join(dir, PLUG_FILE), 'utf8')) as { tool_id?: string; draft_id?: string }

const plug = (...args: string[]) => runHere(['plug', ...args, '--host', url, '--user', 'ada'], { cwd: dir })

async function published(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out } = await plug('publish', '--json', ...args)
  return { code, ...(JSON.parse(out) as Record<string, unknown>) }
}

describe('svc plug publish', { timeout: SLOW_MS }, () => {
  it('mints and commits, says when nothing changed, shows what did, and publishes it', async () => {
    expect(await published('--dry-run')).toMatchObject({ code: 0, did: 'created', tool_id: null })
    expect(noted()).not.toHaveProperty('tool_id')

    const first = await published()
    expect(first).toMatchObject({ code: 0, did: 'created', version: '1.0.0' })
    expect(first.tool_id).toMatch(/^tool-ada-weather-/)
    expect(noted()).toMatchObject({ tool_id: first.tool_id, slug: 'weather' })
    expect(noted()).not.toHaveProperty('draft_id')
    expect(await published()).toMatchObject({ code: 0, did: 'unchanged', version: null })

    writeFile({
      ...noted(),
      command: ['node', 'plugin.mjs'],
      visibility: 'public',
      distribution: { type: 'local', path: 'plugin.mjs' },
    })
    expect(await published()).toMatchObject({ did: 'unchanged', edited: ['visibility'] })

    const tools = [
      { name: 'today', parameters: [] },
      { name: 'tomorrow', parameters: [] },
    ]
    describes({ name: 'weather', version: '1.0.0', tools })
    const changes = { added: ['manifest.tools.tomorrow'], removed: [], changed: [], truncated: false }
    const next = { did: 'version', from: '1.0.0', version: '1.0.1', changes }
    expect(await published('--dry-run')).toMatchObject(next)
    expect(await published()).toMatchObject(next)
    expect(await published()).toMatchObject({ did: 'unchanged', from: '1.0.1' })
    describes({ name: 'weather', version: '1.0.0', tools: [] })
    expect(await published()).toMatchObject({
      code: 3,
      error: { message: 'the plugin has version 1.0.0, and 1.0.1 is published' },
    })

    const { out } = await plug('list')
    expect(out).toMatch(/tool_id +name +version/)
    expect(out).toContain(
      `${first.tool_id}  Weather  1.0.1    public      today, tomorrow  ada (not verified)  yours, unavailable: no runner`,
    )
  })

  it('goes on with the draft of a publish that broke off', async () => {
    writeFile({ visibility: 'everybody' })
    const refused = await plug('publish')
    expect([refused.code, refused.out]).toEqual([6, ''])
    expect(refused.err).toContain(
      'svc: visibility must be one of "private", "app_bundled", "public", got "everybody"',
    )
    const { tool_id, draft_id } = noted()
    expect(draft_id).toMatch(/^drf_/)
    writeFile({ tool_id, draft_id })
    expect(await published()).toMatchObject({ did: 'created', tool_id })
    // The answer of that commit might have been lost.
    writeFile({ tool_id, draft_id })
    expect(await published()).toMatchObject({ did: 'unchanged', tool_id })
    writeFile({ tool_id: 'tool-gone', draft_id: 'drf_gone' })
    const again = await published()
    expect(again).toMatchObject({ did: 'created' })
    expect(again.tool_id).not.toBe(tool_id)
  })

  it('installs a plugin that names no command, to ask it', async () => {
    writeFile({ command: undefined })
    expect(await published()).toMatchObject({ code: 0, did: 'created', version: '1.0.0' })
  })

  it.each([
    ['plugin.mjs', 0, false],
    ['dist/plugin.mjs', 3, true],
  ])('a local %s ends with %i', async (file, exit, isTold) => {
    writeFile({ distribution: { type: 'local', path: file } })
    const { code, err } = await plug('publish', '--dry-run')
    expect([code, err.includes(`${path.join(dir, file)} is not on this machine`)]).toEqual([exit, isTold])
  })

  it.each([
    ['no file', () => rmSync(path.join(dir, PLUG_FILE)), 3, 'svc.plug.json is not there'],
    ['a key that it does not know', () => writeFile({ plugin: 1 }), 3, 'must not have the key "plugin"'],
    [
      'a bad distribution',
      () => writeFile({ distribution: { type: 'zip' } }),
      3,
      'distribution: type must be one of "uv", "npm"',
    ],
    [
      'a key of the distribution that it does not know',
      () => writeFile({ distribution: { type: 'local', path: 'plugin.mjs', arg: ['/srv'] } }),
      3,
      'distribution must not have the key "arg"; did you mean `args`?',
    ],
    [
      'a key of the reach that it does not know',
      () => writeFile({ reach: { host: ['sky.org'] } }),
      3,
      'reach must not have the key "host"; did you mean `hosts`?',
    ],
    [
      'a secret',
      () =>
        writeFile({
          distribution: { type: 'local', path: 'plugin.mjs', env: { K: `ghp_${'a1'.repeat(18)}` } },
        }),
      3,
      'distribution.env.K holds what looks like a token of GitHub (ghp_…, 40 characters)',
    ],
    [
      'a plugin that does not start',
      () => writeFile({ command: ['node', 'gone.mjs'] }),
      1,
      'it ended with exit code 1',
    ],
    [
      'a bad manifest',
      () => describes({ name: 'weather', tools: [{}] }),
      1,
      'is wrong: tools.0.name must be a string',
    ],
    [
      'a plugin of somebody else',
      () => writeFile({ tool_id: 'tool-bob-weather-1' }),
      6,
      'this user has no plugin tool-bob-weather-1',
    ],
  ])('refuses %s', async (_, spoil, code, sentence) => {
    spoil()
    const ended = await plug('publish')
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err).toContain(sentence)
  })
})

describe('signing in', { timeout: SLOW_MS }, () => {
  const list = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    runHere(['plug', 'list', '--json', ...args], { cwd: dir, env })

  it('takes a name, or the cookie of a sign-in from the environment or a file', async () => {
    const signedIn = await fetch(`${url}/api/v1/auth/dev-login`, {
      method: 'POST',
      headers: {
        origin: url,
        'content-type': 'application/json',
        authorization: `Bearer ${TEST_START_TOKEN}`,
      },
      body: '{"user":"eve"}',
    })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    writeFileSync(path.join(dir, 'cookie'), `Cookie: ${cookie}\n`)
    for (const ended of [
      await list(['--host', url], { SVC_COOKIE: cookie }),
      await list(['--host', url, '--cookie-file', 'cookie']),
      await list(['--host', url, '--user', 'eve']),
    ])
      expect([ended.code, JSON.parse(ended.out).ok]).toEqual([0, true])
  })

  it.each([
    [['--user', 'a'], {}, 2, 'usage', 'no host was named'],
    [['--host', 'URL'], {}, 2, 'usage', 'nobody is signed in'],
    [['--host', 'URL', '--user', 'a', '--cookie-file', 'b'], {}, 2, 'usage', 'both say who you are'],
    [['--host', 'URL', '--cookie-file', 'gone'], {}, 3, 'config', 'gone is not there'],
    [['--host', 'URL'], { SVC_COOKIE: 'nothing' }, 3, 'config', 'SVC_COOKIE holds no Cookie header'],
    [
      ['--host', 'URL'],
      { SVC_COOKIE: 'svc_signin=wrong' },
      6,
      'host',
      'the sign-in is missing, expired or unknown',
    ],
    [['--host', 'https://localhost:9', '--user', 'a'], {}, 7, 'unreachable', 'could not be reached'],
  ])('%j ends in a sentence and a code', async (args, env, code, kind, sentence) => {
    const given = args.map((one) => (one === 'URL' ? url : one))
    const ended = await list(given, env)
    const { error } = JSON.parse(ended.out) as { error: { kind: string; message: string } }
    expect([ended.code, error.kind]).toEqual([code, kind])
    expect(error.message).toContain(sentence)
    expect(ended.err).toContain(`svc: ${error.message}`)
  })
})
