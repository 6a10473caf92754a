import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { withFoundPackage } from './found-package.ts'

/** npm starts in about half a second, and a busy machine is slower. */
const NPM_MS = 60_000

const integrityOf = (version: string) => `sha512-${version.replaceAll('.', '').padEnd(86, 'A')}==`
/** What registries of long ago tell, and of what nobody digested. */
const weak: Readonly<Record<string, string | undefined>> = { '0.1.0': undefined, '0.2.0': 'sha1-AAAA' }
const versions = Object.fromEntries(
  ['0.1.0', '0.2.0', '1.0.0', '1.1.0'].map((version) => [
    version,
    {
      name: 'weather',
      version,
      dist: {
        tarball: 'http://127.0.0.1:9/w.tgz',
        integrity: version in weak ? weak[version] : integrityOf(version),
      },
    },
  ]),
)

let registry: Server
beforeAll(async () => {
  registry = createServer((req, res) => {
    res.setHeader('content-type', 'application/json')
    if (req.url !== '/weather') return void res.writeHead(404).end('{}')
    res.end(JSON.stringify({ name: 'weather', 'dist-tags': { latest: '1.1.0' }, versions }))
  })
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done))
})
afterAll(() => new Promise((done) => registry.close(done)))
beforeEach(() => {
  const { port } = registry.address() as AddressInfo
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`)
  vi.stubEnv('npm_config_fetch_retries', '0')
})
afterEach(() => vi.unstubAllEnvs())

const none = 'npm does not find gone@latest; it is published as the file has it, without an integrity'

verifies.each('plug.frozen.found')([
  [{ package_name: 'weather' }, '1.1.0', 'takes weather 1.1.0 from npm'],
  [{ package_name: 'weather', version: '1.0.0' }, '1.0.0', 'takes weather 1.0.0 from npm'],
  [
    { package_name: 'weather', version: '0.1.0' },
    '0.1.0',
    'takes weather 0.1.0 from npm, which tells no integrity',
  ],
  [
    { package_name: 'weather', version: '0.2.0' },
    '0.2.0',
    'takes weather 0.2.0 from npm, which tells no integrity',
  ],
  [{ package_name: 'weather', version: '1.x' }, null, ''],
  [{ package_name: 'gone' }, null, none],
])(
  'of %j npm has %s',
  async (named, version, sentence) => {
    const distribution = { type: 'npm', ...named } as const
    const said: string[] = []
    const file = {
      dir: '/',
      command: undefined,
      named: {},
      described: {},
      toolId: undefined,
      draftId: undefined,
      reach: undefined,
      distribution,
    }
    const found = await withFoundPackage(file, new AbortController().signal, (line) => said.push(line))
    expect(said.join()).toContain(sentence)
    const integrity = version === null || version in weak ? {} : { integrity: integrityOf(version) }
    expect(found.distribution).toEqual({
      ...distribution,
      ...(version !== null && { version }),
      ...integrity,
    })
  },
  NPM_MS,
)
