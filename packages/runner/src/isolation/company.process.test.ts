import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '@svc/conformance/testing/certificate'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { createRunner } from '../runner.ts'
import { skipWithoutWalls } from '../testing/hostile-scene.ts'
import { certificatesOf } from './certificates.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-company-')))
mkdirSync(join(root, 'app'))
writeFileSync(
  join(root, 'app', 'plugin.mjs'),
  `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const result = await fetch(params.args.url).then(
    async (answer) => ({ output: await answer.text() }),
    (error) => ({ success: false, error: error.message + ' ' + (error.cause?.code ?? error.cause?.message) }),
  )
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}`,
)
const NAME = 'api.svc-company.invalid'
const { cert, key } = selfSigned([NAME])
const ca = join(root, 'company.pem')
writeFileSync(ca, cert)
const server = createTlsServer({ cert, key }, (_request, response) => response.end('from outside'))
const asked: string[] = []
/** The proxy of a company: it wants a login, and knows names that nobody else does. */
const proxy = createServer()
proxy.on('connect', ({ url = '', headers }, from) => {
  asked.push(url)
  const login = `Basic ${Buffer.from('ada:s@crat').toString('base64')}`
  if (headers['proxy-authorization'] !== login)
    return from.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  const to = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
    from.write('HTTP/1.1 200 OK\r\n\r\n')
    from.pipe(to).pipe(from)
  })
  for (const end of [from, to]) end.on('error', () => end.destroy())
})
const runner = createRunner({ isolator: 'bubblewrap' })
beforeAll(async () => {
  await Promise.all([
    once(server.listen(0, '127.0.0.1'), 'listening'),
    once(proxy.listen(0, '127.0.0.1'), 'listening'),
  ])
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await runner.close()
  server.close()
  proxy.close()
  rmSync(root, { recursive: true })
})

let calls = 0
async function fetched(env: Readonly<Record<string, string>>): Promise<unknown> {
  vi.unstubAllEnvs()
  const { port } = proxy.address() as AddressInfo
  const all = {
    HTTPS_PROXY: `http://ada:s%40crat@127.0.0.1:${port}`,
    NO_PROXY: '',
    NODE_EXTRA_CA_CERTS: ca,
    ...env,
  }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  const outcome = await runner.call({
    userId: 'ada',
    // Each with a process of its own, which has the environment of its start.
    plugin: {
      id: `tool-company-${++calls}`,
      version: '1.0.0',
      command: ['node', join(root, 'app', 'plugin.mjs')],
      reach: { hosts: [NAME] },
    },
    tool: 'fetch',
    args: { url: `https://${NAME}/` },
    graceMs: 0,
    invokeId: 'inv_1',
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    maxResultBytes: 65_536,
  })
  return outcome.ok ? outcome.payload : outcome.details?.error
}

describe('a plugin on a machine of a company', () => {
  skipWithoutWalls()

  verifies(
    'wall.plugin.company',
    'reaches its hosts over the proxy, with the certificates of the company',
    async () => {
      expect(await fetched({})).toBe('from outside')
      expect(asked).toEqual([`${NAME}:443`])
    },
  )

  verifies('wall.plugin.company', 'does not without the certificates, nor past the proxy', async () => {
    expect(await fetched({ NODE_EXTRA_CA_CERTS: '' })).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|self-signed/)
    const before = asked.length
    expect(await fetched({ NO_PROXY: '.svc-company.invalid' })).toMatch(/^fetch failed/)
    expect(asked).toHaveLength(before)
  })
})

describe('the certificates of a machine', () => {
  writeFileSync(join(root, 'both.pem'), cert + key)
  mkdirSync(join(root, 'certs'))
  verifies.each('wall.plugin.company')<
    [string, NodeJS.ProcessEnv, Readonly<Record<string, string>>, readonly string[]]
  >([
    [
      'are files and folders that its variables name',
      { SSL_CERT_FILE: ca, REQUESTS_CA_BUNDLE: ca, SSL_CERT_DIR: `${join(root, 'certs')}:/no/such` },
      { SSL_CERT_FILE: ca, REQUESTS_CA_BUNDLE: ca, SSL_CERT_DIR: join(root, 'certs') },
      [ca, join(root, 'certs')],
    ],
    ['are not a file with a key', { SSL_CERT_FILE: join(root, 'both.pem') }, {}, []],
    ['are not what is no file', { SSL_CERT_FILE: root, SSL_CERT_DIR: ca, CURL_CA_BUNDLE: 'ca.pem' }, {}, []],
    ['may be those of the system', { NODE_USE_SYSTEM_CA: '1', OTHER: ca }, { NODE_USE_SYSTEM_CA: '1' }, []],
  ])('%s', (_name, outer, env, readable) => expect(certificatesOf(outer)).toEqual({ env, readable }))
})
