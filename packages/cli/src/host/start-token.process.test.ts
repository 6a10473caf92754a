import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { verifies } from '@svc/conformance/verifies'
import { createHost } from '@svc/host'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { knownStartToken, ownStartToken, startTokenFile } from './start-token.ts'

const PORT = 8787
let env: { readonly XDG_STATE_HOME: string; readonly SVC_START_TOKEN?: string }
beforeEach(() => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-state-'))
  // Others may look around in it: what keeps them out is below.
  chmodSync(dir, 0o755)
  env = { XDG_STATE_HOME: dir }
})
afterEach(() => rmSync(env.XDG_STATE_HOME, { recursive: true }))

const modeOf = (file: string) => statSync(file).mode & 0o777

verifies(
  'wall.dev_login.token_file',
  'it is made once, also by many at once, and by nobody who only asks',
  async () => {
    expect(await knownStartToken(PORT, env)).toBeNull()
    const made = await Promise.all(Array.from({ length: 8 }, () => ownStartToken(PORT, env)))
    expect(new Set(made).size).toBe(1)
    expect(await knownStartToken(PORT, env)).toBe(made[0])
    expect(readFileSync(startTokenFile(PORT, env), 'utf8')).toBe(`${made[0]}\n`)
    expect([modeOf(startTokenFile(PORT, env)), modeOf(path.dirname(startTokenFile(PORT, env)))]).toEqual([
      0o600, 0o700,
    ])
  },
)

it('is another one for each port, and replaces the one that older versions had for all', async () => {
  const dir = path.dirname(startTokenFile(PORT, env))
  mkdirSync(dir, { mode: 0o700 })
  writeFileSync(path.join(dir, 'start-token'), `${'o'.repeat(43)}\n`, { mode: 0o600 })
  expect(await knownStartToken(PORT, env)).toBeNull()
  const tokens = await Promise.all([PORT, PORT + 1].map((port) => ownStartToken(port, env)))
  expect(new Set([...tokens, 'o'.repeat(43)]).size).toBe(3)
  expect(readdirSync(dir).sort()).toEqual([`start-token-${PORT}`, `start-token-${PORT + 1}`])
})

it('comes from the environment where it is given there', async () => {
  const given = { ...env, SVC_START_TOKEN: 'g'.repeat(32) }
  expect([await ownStartToken(PORT, given), await knownStartToken(PORT, given)]).toEqual([
    'g'.repeat(32),
    'g'.repeat(32),
  ])
  expect(() => statSync(startTokenFile(PORT, env))).toThrow('ENOENT')
})

verifies.each('wall.dev_login.token_file')([
  ['that others can read', (file: string) => chmodSync(file, 0o604), 'can be read by others'],
  ['that a group can read', (file: string) => chmodSync(file, 0o640), 'can be read by others'],
  ['that holds something else', (file: string) => writeFileSync(file, 'no'), 'holds no start token'],
])('a file %s is not taken', async (_, spoil, sentence) => {
  await ownStartToken(PORT, env)
  spoil(startTokenFile(PORT, env))
  await expect(ownStartToken(PORT, env)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining(sentence),
  })
})

const ANOTHER_UID = 65_534
/** What another user of the machine tries: the token's file, a sign-in without it, and a plugin of his own. */
const attack = `
  // It is that user from here on: he may not reach the program of this process.
  process.setgroups([])
  process.setgid(${ANOTHER_UID})
  process.setuid(${ANOTHER_UID})
  const [url, file] = process.argv.slice(1)
  const send = (path, body) => fetch(url + path, {
    method: 'POST', body: JSON.stringify(body), headers: { origin: url, 'content-type': 'application/json' },
  }).then(({ status, headers }) => [status, headers.get('set-cookie')])
  const read = await import('node:fs/promises').then((fs) => fs.readFile(file, 'utf8')).catch(({ code }) => code)
  const local = { distribution: { type: 'local', path: '/tmp/x' } }
  console.log(JSON.stringify({
    uid: process.getuid(), read, login: await send('/api/v1/auth/dev-login', { user: 'dev' }), describe: await send('/plugs/my/describe', local),
    rpc: await send('/api/v1/svc-apps/runtime/rpc', {}),
  }))`

verifies(
  ['wall.dev_login.token', 'wall.dev_login.token_file'],
  'another user of the machine signs in under no name',
  // Only root can be somebody else.
  { skip: process.getuid?.() !== 0 },
  async () => {
    const startToken = await ownStartToken(PORT, env)
    const host = createHost({ harness: true, startToken, runner: null, logger: pino({ level: 'silent' }) })
    onTestFinished(() => host.close())
    const { url } = await host.listen(0)
    const args = ['--input-type=module', '-e', attack, url, startTokenFile(PORT, env)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: '/', env: {} })
    expect(JSON.parse(stdout)).toEqual({
      uid: ANOTHER_UID,
      read: 'EACCES',
      login: [403, null],
      describe: [401, null],
      rpc: [401, null],
    })
  },
)
