import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSettings } from './manager-settings.ts'
import { managers } from './managers.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-settings-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const put = (path: string, text: string) => {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const of = (type: keyof typeof managers, outer: NodeJS.ProcessEnv = {}, more: readonly string[] = []) =>
  findSettings(managers[type], more, { HOME: home, NPM_CONFIG_GLOBALCONFIG: '/dev/null', ...outer })
/** Beside those that a manager goes to anyway. */
const added = (type: keyof typeof managers, ...args: [NodeJS.ProcessEnv?, string[]?]) => {
  const { indexes } = managers[type]
  return [...of(type, ...args).hosts].filter((host) => !indexes.some((one) => host === `${one}:443`))
}

describe('where an installer may go', () => {
  it.each(['npm', 'uv', 'pipx'] as const)('is the index of %s where the machine says nothing', (type) =>
    expect([...of(type).hosts]).toEqual(managers[type].indexes.map((host) => `${host}:443`)),
  )

  it.each<[string, keyof typeof managers, string, string, readonly string[]]>([
    ['a registry', 'npm', '.npmrc', 'registry=https://npm.acme.com/a/\n', ['npm.acme.com:443']],
    ['one of a scope', 'npm', '.npmrc', '@a:registry = "http://localhost:4873"', ['localhost:4873']],
    ['one by its address', 'npm', '.npmrc', 'registry=http://[::1]:4873/', ['[::1]:4873']],
    [
      'an index',
      'pipx',
      '.config/pip/pip.conf',
      '[global]\nindex-url = https://u:p@pip.acme.com:8443/x',
      ['pip.acme.com:8443'],
    ],
    ['an old place', 'pipx', '.pip/pip.conf', 'extra-index-url=http://10.0.0.1/simple', ['10.0.0.1:80']],
    [
      'a list',
      'uv',
      '.config/uv/uv.toml',
      'extra-index-url = ["https://a.com/s","https://b.com/s"]',
      ['a.com:443', 'b.com:443'],
    ],
    ['not what a comment says', 'npm', '.npmrc', '# see https://evil.com\n ; http://evil.com\n', []],
    [
      'not its proxy',
      'npm',
      '.npmrc',
      'https-proxy=http://proxy.acme.com:8080\nproxy = "http://p2.acme.com"',
      [],
    ],
    [
      'not its proxy before a comment',
      'uv',
      '.config/uv/uv.toml',
      'https-proxy = "http://proxy.acme.com:8080" # of the office\n"http-proxy"="http://p2.acme.com"',
      [],
    ],
    [
      'not its proxy on the next line',
      'pipx',
      '.pip/pip.conf',
      'proxy =\n    http://proxy.acme.com:8080',
      [],
    ],
    ['what follows no proxy', 'npm', '.npmrc', 'proxy=\nregistry=https://a.com', ['a.com:443']],
    ['not its proxy either', 'pipx', '.config/pip/pip.conf', 'proxy = http://proxy.acme.com:8080', []],
    ['nothing that is no URL', 'npm', '.npmrc', 'registry=https://[bad\n//host/:_authToken=x', []],
  ])('%s', (_name, type, path, text, hosts) => {
    put(path, text)
    expect(added(type)).toEqual(hosts)
  })

  it.each<[keyof typeof managers, NodeJS.ProcessEnv, readonly string[]]>([
    ['uv', { UV_INDEX_URL: 'https://a.com/simple' }, ['a.com:443']],
    ['uv', { UV_INDEX: 'one=https://a.com/x https://b.com:1/y' }, ['a.com:443', 'b.com:1']],
    ['pipx', { PIP_EXTRA_INDEX_URL: 'http://a.com https://b.com' }, ['a.com:80', 'b.com:443']],
    ['npm', { npm_config_registry: 'HTTPS://A.com' }, ['a.com:443']],
    ['npm', { 'npm_config_@acme:registry': 'https://a.com' }, ['a.com:443']],
    ['uv', { UV_FIND_LINKS: 'https://a.com/wheels' }, ['a.com:443']],
    ['npm', { HTTPS_PROXY: 'http://proxy.com', NPM_CONFIG_REGISTRY: 'https://a.com' }, ['a.com:443']],
    ['pipx', { HTTP_PROXY: 'http://proxy.com', OTHER: 'https://b.com' }, []],
  ])('%s with %j', (type, outer, hosts) => expect(added(type, outer)).toEqual(hosts))

  it('is also what the runner is told', () =>
    expect(added('npm', {}, ['http://127.0.0.1:4873'])).toEqual(['127.0.0.1:4873']))
})

it('a variable goes before the files that are looked for, and shows its file alone', () => {
  put('.npmrc', 'registry=https://a.com')
  const other = put('other', `registry=https://b.com\ncafile=${put('ca.pem', '')}\ncert = /no/such/file\n`)
  const found = of('npm', { NPM_CONFIG_USERCONFIG: other })
  expect(found.env).toEqual({ NPM_CONFIG_USERCONFIG: other })
  expect(found.readable).toEqual([other, join(home, 'ca.pem')])
  expect(found.hosts.has('a.com:443')).toBe(false)
})

it('a variable that names no file says that there is none', () => {
  put('.pip/pip.conf', 'index-url=https://a.com')
  const { env, readable } = of('pipx', { PIP_CONFIG_FILE: '/dev/null' })
  expect([env, readable]).toEqual([{}, []])
})

it('what cannot be looked at, or read, is no settings', () => {
  symlinkSync('pip.conf', join(home, 'pip.conf'))
  expect(of('pipx', { PIP_CONFIG_FILE: join(home, 'pip.conf') }).readable).toEqual([])
  const shut = put('shut.conf', `cert = ${put('key.pem', '')}`)
  chmodSync(join(home, 'key.pem'), 0)
  // Root reads it all the same.
  const isRoot = process.getuid?.() === 0
  expect(of('pipx', { PIP_CONFIG_FILE: shut }).readable).toEqual([
    shut,
    ...(isRoot ? [join(home, 'key.pem')] : []),
  ])
})

it('a folder, a link to nothing and a large file are no settings', () => {
  mkdirSync(join(home, '.npmrc'))
  expect(of('npm').readable).toEqual([])
  put('.pip/pip.conf', ' '.repeat(1_048_577))
  expect(of('pipx').readable.filter((file) => file.startsWith(home))).toEqual([])
})

it.each<[NodeJS.ProcessEnv, string, string | undefined]>([
  [{}, '', undefined],
  [{ HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, '', 'http://a:1/'],
  [{ https_proxy: '', http_proxy: 'http://b:2' }, '', 'http://b:2/'],
  [{ HTTP_PROXY: 'b:2' }, '', 'http://b:2/'],
  [{}, 'https-proxy=http://c:3', 'http://c:3/'],
  [{}, 'proxy = "http://c:3" ; of the office', 'http://c:3/'],
])('the proxy of the machine with %j and %j', (outer, text, proxy) => {
  put('.npmrc', text)
  expect(of('npm', outer).proxy?.href).toBe(proxy)
})

it.each([
  ['', 'a.com', false],
  ['a.com', 'a.com', true],
  ['a.com', 'x.a.com', true],
  ['.a.com, b.com', 'x.a.com', true],
  ['*.a.com', 'a.com', true],
  ['a.com', 'ba.com', false],
  ['*', 'any.org', true],
])('NO_PROXY %j: %s without the proxy: %s', (list, host, isDirect) =>
  expect(of('npm', { NO_PROXY: list }).isDirect(host)).toBe(isDirect),
)

it('a registry is signed in to by what its settings name', () => {
  put('.npmrc', 'registry=https://a.com\n//a.com/:_authToken=${NPM_TOKEN}\nprefix=${HOME}/x')
  const outer = {
    NPM_TOKEN: 't',
    HOME: home,
    SVC_TOKEN: 's',
    'npm_config_//b.com/:_authToken': 'u',
    npm_config_prefix: '/',
  }
  expect(of('npm', outer).env).toEqual({
    NPM_TOKEN: 't',
    'npm_config_//b.com/:_authToken': 'u',
    NPM_CONFIG_USERCONFIG: join(home, '.npmrc'),
  })
  expect(of('uv', { UV_INDEX_ACME_PASSWORD: 'p', UV_CACHE_DIR: '/x' }).env).toEqual({
    UV_INDEX_ACME_PASSWORD: 'p',
  })
})

it('certificates of a company are seen by each manager', () => {
  const file = put('company.pem', 'certificate')
  for (const type of ['npm', 'uv', 'pipx'] as const) {
    const found = of(type, { REQUESTS_CA_BUNDLE: file, NODE_EXTRA_CA_CERTS: file })
    expect(found.env).toMatchObject({ REQUESTS_CA_BUNDLE: file, NODE_EXTRA_CA_CERTS: file })
    expect(found.readable.filter((path) => path === file)).toEqual([file])
  }
})
