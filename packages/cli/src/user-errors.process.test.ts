import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { verifies } from '@svc/conformance/verifies'
import { packTar } from '@svc/node/archive'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from './testing/run-here.ts'

/** More than anything that walks a value could walk. */
const LEVELS = 200_000
const deep = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
let cwd = ''
let server: Server
let taken = 0

const put = (name: string, content: string | Buffer) => writeFileSync(path.join(cwd, name), content)
const config = (name: string, more: object) => put(name, JSON.stringify({ signIn: 'dev', ...more }))

async function* only(bytes: Uint8Array) {
  yield bytes
}

/** A backup whose check sums are right. */
function archiveOf(row: string): Promise<Buffer> {
  const files = [
    { path: 'svc-state.json', text: '{"format":1,"revision":1}\n' },
    { path: 'records/000001.ndjson', text: `{"collection":"files","id":"a","revision":1,"row":${row}}\n` },
    { path: 'secret', text: `${'s'.repeat(43)}\n` },
  ]
  const sums = files.map(({ path, text }) => `${createHash('sha256').update(text).digest('hex')}  ${path}\n`)
  async function* all() {
    for (const { path, text } of [...files, { path: 'SHA256SUMS', text: sums.join('') }]) {
      const bytes = Buffer.from(text)
      yield { path, size: bytes.length, bytes: only(bytes) }
    }
  }
  return buffer(packTar(all()))
}

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-errors-'))
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  taken = (server.address() as { port: number }).port
  mkdirSync(path.join(cwd, 'folder.json'))
  mkdirSync(path.join(cwd, 'app'))
  put('file', 'x')
  put('deep.json', deep)
  put('app/manifest.json', deep)
  put('app/index.html', '')
  put('deep.tar', await archiveOf(deep))
  put('cut.tar', (await archiveOf('{}')).subarray(0, 1_500))
  put('throws.mjs', 'throw { any: 1 }')
  put('syntax.mjs', 'export default {')
  put('list.mjs', 'export default [1n]')
  config('taken.json', { port: taken, data: 'memory' })
  config('low.json', { address: '127.0.0.1', port: 'x' })
  config('open.json', { address: '0.0.0.0' })
  config('elsewhere.json', { data: 'memory', address: '10.255.255.1', signIn: 'none' })
  config('file.json', { data: 'file' })
  config('under.json', { data: 'file/a' })
  config('nul.json', { data: 'a\0b' })
  config('app.json', { data: 'memory', apps: [{ dir: 'app' }] })
  config('app-file.json', { data: 'memory', apps: [{ dir: 'file' }] })
  config('copies.json', { backup: { dir: 'copies', at: '3', keep: 1 } })
  config('limits.json', { limits: { JOBS_ACTIVE_PER_USER: '9' } })
})
afterAll(() => {
  server.close()
  rmSync(cwd, { recursive: true })
})

verifies.each('cli.errors')<[words: string, code: number, said: string]>([
  ['serve', 3, 'there is no svc.config.js'],
  ['serve --config nowhere.json', 3, 'there is no nowhere.json here'],
  ['serve --config folder.json', 3, 'is a folder'],
  ['serve --config deep.json', 3, 'nests deeper than 1000 levels'],
  ['serve --config throws.mjs', 3, 'could not be loaded: { any: 1 }'],
  ['serve --config syntax.mjs', 3, 'could not be loaded'],
  ['serve --config list.mjs', 3, 'must export an object by default, got a list'],
  ['serve --config open.json', 3, 'listens on loopback only, got address 0.0.0.0'],
  ['serve --config low.json', 3, 'port must be a whole number from 0 to 65535, got "x"'],
  ['serve --config file.json', 3, 'file is a file'],
  ['serve --config under.json', 3, 'file is a file'],
  ['serve --config nul.json', 3, 'data must have no NUL character'],
  ['serve --config app.json', 3, 'the app in'],
  ['serve --config app-file.json', 3, 'file is not a folder'],
  ['serve --config copies.json', 3, 'backup.at must be a time such as "03:00", got "3"'],
  ['serve --config limits.json', 3, 'got "9"; write 9 without quotes'],
  ['serve --config taken.json', 5, 'is in use'],
  ['serve --port 99999', 2, '--port must be a whole number from 0 to 65535, got "99999"'],
  ['serve a', 2, 'svc serve does not take "a"'],
  ['data check ./other', 2, 'svc data check does not take "./other"'],
  ['data check --data file', 3, 'a part of its path is a file'],
  ['data stats --data nowhere', 3, 'there is no data folder of svc in'],
  ['data backup file', 3, 'is there already'],
  ['data backup new.tar --data file', 3, 'a part of its path is a file'],
  ['data restore nowhere --data new', 3, 'it is not there'],
  ['data restore app --data new', 3, 'is a folder'],
  ['data restore cut.tar --data new', 3, 'end'],
  ['data restore deep.tar --data new', 3, 'nests deeper than 4096 levels'],
  ['data restore deep.tar --data file/a', 3, 'file'],
  ['app lint app', 1, 'deeper'],
  ['app lint file', 3, 'there is no folder file'],
  ['app push app --host nowhere', 2, '--host must be an http or https URL, got "nowhere"'],
  ['app release one', 2, 'VERSION must be SemVer such as 1.0.0, got "one"'],
  ['app pull notes --version 1', 2, '--version must be SemVer such as 1.0.0, got "1"'],
  ['plug call --args @deep.json -- node x', 2, 'deep.json:1:1001 nests deeper than 1000 levels'],
  ['plug call --args @app -- node x', 3, 'app is a folder; name a file in it'],
  ['plug check node x', 2, 'svc plug check does not take "node"'],
  ['plug types app -- node x', 2, 'a folder and a command are both named'],
  ['dev --storage persistant', 2, 'did you mean `persistent`?'],
  ['dev --isolation requird', 2, 'did you mean `required`?'],
  ['runner --slots 0 --host http://127.0.0.1:1', 2, '--slots must be a whole number from 1 to'],
  ['runner --allow sky', 2, '--allow[0] must be own, all or ids of plugins'],
  ['types file', 3, 'there is no folder file'],
  ['doctor --url ftp://a', 2, '--url must be an http or https URL'],
  ['doctor --config deep.json', 3, 'nests deeper than 1000 levels'],
])('svc %s says what is wrong, and ends with %i', async (words, code, said) => {
  const end = await runHere(words.split(' '), { cwd })
  expect(`${end.out}${end.err}`).toContain(said)
  expect(end.err).not.toMatch(/inside svc itself|\n {4}at /)
  expect(end.code).toBe(code)
})

it.each(['serve', 'serve --check'])('svc %s judges the config alike', async (words) => {
  for (const name of ['open', 'low', 'file', 'app', 'copies', 'limits']) {
    const first = await runHere([...words.split(' '), '--config', `${name}.json`], { cwd })
    const other = await runHere(['serve', '--check', '--config', `${name}.json`], { cwd })
    expect(first).toEqual(other)
  }
})

it('an address of another machine is refused where it cannot be had', async () => {
  put(
    'away.mjs',
    `export default { data: 'memory', address: '10.255.255.1', port: 0, authenticate: () => null }`,
  )
  const end = await runHere(['serve', '--config', 'away.mjs'], { cwd })
  expect([end.code, end.err]).toEqual([
    5,
    expect.stringContaining('10.255.255.1 is no address of this machine'),
  ])
})
