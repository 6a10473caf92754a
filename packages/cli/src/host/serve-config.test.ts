import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readServeConfig } from './serve-config.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-config-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const put = (name: string, text: string | Buffer) => writeFileSync(path.join(dir, name), text)

it('reads JSON, with folders relative to the file', async () => {
  put(
    'svc.config.json',
    '{"signIn":"dev","apps":[{"dir":"a"}],"plugins":[{"slug":"p","command":["p"]},{"slug":"q","command":["q"],"cwd":"q"}]}',
  )
  expect(await readServeConfig(undefined, dir)).toEqual({
    signIn: 'dev',
    data: path.join(dir, 'svc-data'),
    apps: [{ dir: path.join(dir, 'a') }],
    plugins: [
      { slug: 'p', command: ['p'], cwd: dir },
      { slug: 'q', command: ['q'], cwd: path.join(dir, 'q') },
    ],
  })
})

it('reads a module, which may bring a sign-in of its own', async () => {
  put('mine.mjs', `export default { port: 1, authenticate: () => ({ id: 'me' }) }`)
  const { authenticate, port } = await readServeConfig('mine.mjs', dir)
  expect([authenticate?.(new Request('http://localhost')), port]).toEqual([{ id: 'me' }, 1])
})

it.each([
  ['a folder relative to the file', '{data: "../kept"}', undefined, '../kept'],
  ['an absolute one', '{data: "/kept"}', undefined, '/kept'],
  ['none', '{data: "memory"}', undefined, null],
  ['one that the command line names', '{data: "kept"}', 'other', 'other'],
  ['none by the command line', '{}', 'memory', null],
  ['no folder beside a store of its own', '{store: memoryStore()}', undefined, null],
])('takes %s for the data', async (_, text, named, expected) => {
  const host = import.meta.resolve('@svc/host')
  put(
    'a.mjs',
    `import { memoryStore } from '${host}'; export default Object.assign({ signIn: 'dev' }, ${text})`,
  )
  const { data } = await readServeConfig('a.mjs', dir, named)
  expect(data).toBe(expected === null ? null : path.resolve(dir, expected))
})

it('takes a plan of backups, with a folder relative to the file', async () => {
  put('a.json', '{"signIn":"dev","backup":{"dir":"copies","at":"03:00","keep":7}}')
  const { backup } = await readServeConfig('a.json', dir)
  expect(backup).toEqual({ dir: path.join(dir, 'copies'), at: '03:00', keep: 7 })
})

it('takes servers in the place of a folder', async () => {
  const data = {
    postgres: 'postgres://h/svc',
    redis: 'redis://h',
    name: 'a',
    connections: 3,
    peers: { port: 1 },
  }
  put('a.json', JSON.stringify({ signIn: 'dev', data }))
  expect((await readServeConfig('a.json', dir)).data).toEqual(data)
  expect((await readServeConfig('a.json', dir, 'memory')).data).toBe(null)
})

it.each<[data: object, beside: object, sentence: string]>([
  [{ postgrs: 'x' }, {}, 'unknown option `data.postgrs`; did you mean `postgres`?'],
  [{ peers: { adress: 'x' } }, {}, 'unknown option `data.peers.adress`; did you mean `address`?'],
  [
    { postgres: undefined },
    {},
    'data.postgres must be a URL such as postgres://svc:PASSWORD@db.site.org:5432/svc, got nothing',
  ],
  [{ postgres: 'mysql://a:hidden@h/svc' }, {}, 'got "mysql://…@h/svc"'],
  [{ postgres: 'postgres://a:hid/den@h:x/svc?password=hidden' }, {}, 'got "postgres://…@h:x/svc?password=…"'],
  [
    { redis: 'a:hidden@h' },
    {},
    'data.redis must be a URL such as redis://:PASSWORD@redis.site.org:6379, got "…@h"',
  ],
  [{ redis: 1 }, {}, 'got 1'],
  [
    { name: 'Svc' },
    {},
    'data.name must be 1 to 41 of a to z, 0 to 9 and _, and not begin with a digit, got "Svc"',
  ],
  [{ connections: 0 }, {}, 'data.connections must be a whole number from 1 to 1000, got 0'],
  [{ peers: 8788 }, {}, 'data.peers must be an object with address, port, url, got 8788'],
  [{ peers: { port: -1 } }, {}, 'data.peers.port must be a whole number from 0 to 65535, got -1'],
  [{ peers: { url: '10.0.0.5:8788' } }, {}, 'data.peers.url must be a URL such as http://10.0.0.5:8788'],
  [{}, { durability: { records: 'power' } }, 'durability is of a data folder'],
  [{}, { backup: { dir: 'x', at: '03:00', keep: 1 } }, 'backup is of a data folder'],
])('refuses servers %j beside %j', async (data, beside, sentence) => {
  const whole = { postgres: 'postgres://u:hidden@h/svc', redis: 'redis://:hidden@h', ...data }
  put('a.json', JSON.stringify({ signIn: 'dev', data: whole, ...beside }))
  const refused = readServeConfig('a.json', dir)
  await expect(refused).rejects.toMatchObject({ kind: 'config', message: expect.stringContaining(sentence) })
  await expect(refused).rejects.not.toThrow(/hidden|hid.den/)
})

it.each([
  [
    'backups at no time',
    'a.json',
    '{"signIn":"dev","backup":{"dir":"copies","at":"3","keep":7}}',
    'backup.at must be a time such as "03:00", got "3"',
  ],
  [
    'backups in what they are of',
    'a.json',
    '{"signIn":"dev","data":"kept","backup":{"dir":"kept/copies","at":"03:00","keep":7}}',
    'backup.dir is in the data folder',
  ],
  [
    'backups of nothing',
    'a.json',
    '{"signIn":"dev","data":"memory","backup":{"dir":"copies","at":"03:00","keep":7}}',
    'backup needs a data folder',
  ],
  [
    'no file',
    undefined,
    '',
    'there is no svc.config.js, svc.config.mjs, svc.config.ts, svc.config.mts, svc.config.json here',
  ],
  ['a file that is named and not there', 'x.json', '', 'there is no x.json here'],
  ['no JSON', 'a.json', '{', 'a.json:1:2 ends too early: the { of line 1 is not closed'],
  ['JSON with a comment', 'a.json', '{\n// a\n}', 'a.json:2:1 has a comment; JSON has none'],
  [
    'a script in UTF-16',
    'wide.js',
    Buffer.from('\ufeffexport default {}', 'utf16le'),
    'wide.js is UTF-16, and Node reads scripts as UTF-8',
  ],
  [
    'JSON of many levels',
    'a.json',
    '['.repeat(200_000) + ']'.repeat(200_000),
    'nests deeper than 1000 levels',
  ],
  ['a folder', '.', '', 'is a folder'],
  [
    'a module that throws nothing of use',
    'a.mjs',
    'throw Object.create(null)',
    'could not be loaded: [Object: null',
  ],
  [
    'a value of the wrong type',
    'a.json',
    '{"signIn":"dev","port":"x"}',
    'a.json: port must be a whole number from 0 to 65535, got "x"',
  ],
  [
    'a durability that is none',
    'a.json',
    '{"signIn":"dev","durability":{"records":"Power"}}',
    'durability.records must be "power" or "process", got "Power"; did you mean `power`?',
  ],
  [
    'an option whose getter throws',
    'a.mjs',
    'export default { signIn: "dev", get apps() { throw new Error("boom") } }',
    'the options could not be read: boom',
  ],
  [
    'a URL in the place of a folder',
    'a.json',
    '{"signIn":"dev","data":"postgres://u:hidden@h/svc"}',
    'data must be a folder, got "postgres://…@h/svc"',
  ],
  ['no object', 'a.json', '[]', 'must export an object by default, got a list'],
  ['a module that breaks', 'a.mjs', 'throw new Error("boom")', 'could not be loaded: boom'],
  [
    'a sign-in that is none of ours',
    'a.json',
    '{"signIn":"oidc"}',
    'signIn must be "dev" or "none", got "oidc"',
  ],
  ['a module without a default', 'a.mjs', 'export const port = 1', 'got nothing'],
  [
    'an unknown option',
    'a.json',
    '{"origns":[]}',
    'a.json: unknown option `origns`; did you mean `origins`?',
  ],
  ['an unknown one inside', 'a.json', '{"apps":[{"path":"x"}]}', 'unknown option `apps[0].path`'],
  ['a misspelt port', 'a.json', '{"prot":1}', 'unknown option `prot`; did you mean `port`?'],
  ['the harness', 'a.json', '{"harness":true}', 'harness is for svc dev only'],
  [
    'data that is no folder',
    'a.json',
    '{"signIn":"dev","data":1}',
    'data must be a folder, "memory" or { postgres, redis }, got 1',
  ],
  ['nobody who could sign in', 'a.json', '{}', 'nobody could sign in'],
])('refuses %s', async (_, name, text, sentence) => {
  if (name && text) put(name, text)
  await expect(readServeConfig(name, dir)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining(sentence),
  })
})
