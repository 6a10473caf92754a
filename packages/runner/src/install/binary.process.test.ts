import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { tarOf, zipOf } from '@svc/conformance/testing/archives'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import type { RunnerOptions } from '../runner.ts'
import { type InstallBed, openInstallBed, tinyProgram, where } from '../testing/install.ts'

const HERE = `${process.platform}-${process.arch}`
const ELSEWHERE = 'darwin-arm64'

let bed: InstallBed
const closers: (() => Promise<unknown>)[] = []
beforeEach(() => {
  bed = openInstallBed()
})
afterEach(async () => {
  await bed.close()
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** A server on loopback, a runner that may fetch from it, and what it was asked for. */
async function serve(answer: RequestListener, options: RunnerOptions = {}) {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(String(req.url))
    answer(req, res)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, base: `http://${host}`, runner: bed.open({ allowLoopback: [host], ...options }) }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const binary = (url: string, digest: string, executable_name = 'tiny', platform = HERE) =>
  bed.plugin({ type: 'binary', urls: { [platform]: { url, sha256: digest } }, executable_name })

verifies.each('plug.install.binary')([
  ['a program', '/tiny', Buffer.from(tinyProgram())],
  ['a .tar.gz', '/v1/tiny.tar.gz?x=1', gzipSync(tarOf({ name: 'a/tiny', body: tinyProgram(), mode: 0o755 }))],
  ['a .zip', '/tiny.zip', zipOf([{ name: 'tiny', body: tinyProgram(), mode: 0o100755 }])],
])('%s is fetched and started, once', async (_what, path, bytes) => {
  const { asked, base, runner } = await serve((_req, res) => res.end(bytes))
  const plugin = binary(base + path, sha256(bytes))
  expect((await where(runner, plugin)).file).toMatch(/\/tiny$/)
  await where(runner, plugin)
  await runner.close()
  await where(bed.open(), plugin)
  expect(asked).toEqual([path])
})

verifies('plug.install.url', 'a redirect is followed as far as the rule lets it go', async () => {
  const bytes = Buffer.from(tinyProgram())
  const { base, runner } = await serve((req, res) => {
    if (req.url === '/r') res.writeHead(302, { location: '/tiny' }).end()
    else if (req.url === '/out') res.writeHead(302, { location: 'http://10.0.0.1/tiny' }).end()
    else res.end(bytes)
  })
  expect((await where(runner, binary(`${base}/r`, sha256(bytes)))).file).toMatch(/\/tiny$/)
  expect(await runner.install(binary(`${base}/out`, sha256('x')))).toMatchObject({
    message: expect.stringContaining('the redirect of its URL'),
  })
})

const refused: [string, RequestListener, string, RunnerOptions?][] = [
  ['a page that is not there', (_req, res) => res.writeHead(404).end(), 'its host answered 404'],
  [
    'more bytes than are taken, told',
    (_req, res) => res.setHeader('content-length', '17').end('x'.repeat(17)),
    'it has more than 16 bytes',
    { limits: { INSTALL_DOWNLOAD_MAX_BYTES: 16 } },
  ],
  [
    'more bytes than are taken, not told',
    (_req, res) => res.write('x'.repeat(9)) && res.end('x'.repeat(9)),
    'it has more than 16 bytes',
    { limits: { INSTALL_DOWNLOAD_MAX_BYTES: 16 } },
  ],
  [
    'fewer bytes than told',
    (_req, res) => res.writeHead(200, { 'content-length': '9' }).write('x', () => res.destroy()),
    'the connection broke off',
  ],
]

verifies.each('plug.install.url')(refused)(
  '%s: refused, and nothing is left',
  async (_what, answer, says, options) => {
    const { base, runner } = await serve(answer, options)
    const outcome = await runner.install(binary(`${base}/tiny`, sha256(tinyProgram())))
    expect(outcome).toMatchObject({
      ok: false,
      code: 'plug_unavailable',
      details: { distribution: 'binary' },
    })
    expect(outcome).toHaveProperty('message', expect.stringContaining(says))
    expect(bed.left()).toEqual([])
  },
)

verifies(
  ['plug.install.url', 'plug.install.fault'],
  'other bytes than were published are refused',
  async () => {
    const { base, runner } = await serve((_req, res) => res.end('other'))
    expect(await runner.install(binary(`${base}/tiny`, sha256(tinyProgram())))).toMatchObject({
      code: 'invalid_arg',
      details: { reason: 'digest_differs' },
      message: expect.stringContaining(`returned bytes with the sha256 ${sha256('other')}`),
    })
    expect(bed.left()).toEqual([])
  },
)

verifies(
  'plug.install.url',
  'loopback is fetched from only where the owner of the machine names it',
  async () => {
    const { asked, base } = await serve((_req, res) => res.end())
    const runner = bed.open()
    expect(await runner.install(binary(`${base}/tiny`, sha256('')))).toMatchObject({
      code: 'invalid_arg',
      details: { reason: 'url_refused' },
      message: expect.stringContaining('must begin with https://'),
    })
    expect(asked).toEqual([])
    expect(() => bed.open({ allowLoopback: ['10.0.0.1'] })).toThrow(
      'createRunner: allowLoopback[0] must be a host of this machine such as 127.0.0.1:8443',
    )
  },
)

verifies('plug.install.binary', 'a platform that was not published is told', async () => {
  const outcome = await bed.open().install(binary('https://cdn.site.org/tiny', sha256(''), 'tiny', ELSEWHERE))
  expect(outcome).toMatchObject({
    code: 'invalid_arg',
    details: { reason: 'platform_missing' },
    message: `tool-ada-tiny-1 could not be installed (binary): it has no binary for ${HERE}, only for ${ELSEWHERE}`,
  })
})
