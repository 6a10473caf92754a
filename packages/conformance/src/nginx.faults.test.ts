import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { createHost, type Host } from '@svc/host'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { selfSigned } from './testing/certificate.ts'
import { freePort } from './testing/free-port.ts'
import { guideBlock } from './testing/guide-block.ts'
import { runNginx } from './testing/nginx.ts'

const GUIDE_MS = 60_000
const SITE = 'apps.site.org'
const GUIDE = 'operating.md'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** The server of a site of which a host has a path: the lines of the guide for that, with what they leave out. */
function siteWithPath(): string {
  const [beside = '', inside = ''] = guideBlock('run-a-host.md', '## Behind a path', 'nginx').split(
    '# in the server of the site',
  )
  return `${beside} server { listen 443 ssl; server_name ${SITE};
    ssl_certificate /etc/site/fullchain.pem; ssl_certificate_key /etc/site/privkey.pem; ${inside} }`
}

/** nginx with lines of a guide, on a free port and with a certificate of its own, before one host or several. */
async function startNginx(
  hosts: readonly Host[],
  block = guideBlock(GUIDE, '## Behind nginx', 'nginx'),
  basePath = '',
) {
  const urls = await Promise.all(hosts.map(async (host) => new URL((await host.listen(0)).url).origin))
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-certificate-'))
  closers.push(async () => rmSync(dir, { recursive: true }))
  const { key, cert } = selfSigned([SITE])
  writeFileSync(path.join(dir, 'key.pem'), key)
  writeFileSync(path.join(dir, 'cert.pem'), cert)
  const port = await freePort()
  const servers = urls.map((url) => `server ${url.replace('http://', '')};`).join(' ')
  const several = guideBlock(GUIDE, '### nginx before several hosts', 'nginx').replace(
    /(server 10\S+\s+)+/,
    `${servers} `,
  )
  const lines = block
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('http://127.0.0.1:8787', urls.length > 1 ? 'http://svc_hosts' : (urls[0] ?? ''))
    .replace(/\/etc\/\S+fullchain\.pem/, path.join(dir, 'cert.pem'))
    .replace(/\/etc\/\S+privkey\.pem/, path.join(dir, 'key.pem'))
  closers.push(await runNginx(() => `${urls.length > 1 ? several : ''}\n${lines}`))
  const options = (target: string, headers: Record<string, string> = {}): RequestOptions => ({
    host: '127.0.0.1',
    port,
    path: target,
    servername: SITE,
    ca: cert,
    headers: { host: SITE, origin: `https://${SITE}`, ...headers },
  })
  await expect
    .poll(() => ask(options(`${basePath}/healthz`)).catch(() => null), { timeout: 10_000, interval: 50 })
    .toMatchObject({ status: 200 })
  return options
}

/** The status of a request, and the first part of its body. */
async function ask(options: RequestOptions) {
  const sent = request(options).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const [first] = (await once(response, 'data')) as [Buffer]
  sent.destroy()
  return { status: response.statusCode, first: first.toString() }
}

it.each([
  ['an origin', '', undefined],
  ['a path of a site', '/svc', siteWithPath],
])(
  'the lines for nginx with %s pass on requests, events as they happen, and WebSockets',
  {
    timeout: GUIDE_MS,
  },
  async (_, basePath, block) => {
    const host = createHost({
      ...(basePath && { basePath }),
      runner: null,
      logger: pino({ level: 'silent' }),
      origins: [`https://${SITE}`],
      authenticate: () => ({ id: 'ada' }),
    })
    closers.push(host.close)
    const options = await startNginx([host], block?.(), basePath)

    const installs = await ask(options(`${basePath}/api/v1/svc-apps/installs`))
    expect(installs).toEqual({ status: 200, first: '{"installs":[]}' })
    // The stream does not end: what is here was not collected.
    const events = await ask(options(`${basePath}/api/v1/svc-apps/runtime/events?windows=&jobs=1`))
    expect(events.status).toBe(200)

    const upgrade = request(
      options(`${basePath}/api/v1/svc-apps/runtime/calls`, {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
        'sec-websocket-protocol': CALL_SOCKET_PROTOCOL,
      }),
    ).end()
    const refused = once(upgrade, 'response').then(([{ statusCode }]) => `refused with ${statusCode}`)
    const taken = once(upgrade, 'upgrade').then(([{ statusCode }, socket]) => {
      socket.destroy()
      return statusCode
    })
    expect(await Promise.race([taken, refused])).toBe(101)
  },
)

it('the lines for several hosts send requests to each in turn, and to the others when one is away', {
  timeout: GUIDE_MS,
}, async () => {
  const counts = [0, 0]
  const hosts = counts.map((_, at) =>
    createHost({
      runner: null,
      logger: pino({ level: 'silent' }),
      origins: [`https://${SITE}`],
      authenticate: () => {
        counts[at] = (counts[at] ?? 0) + 1
        return { id: 'ada' }
      },
    }),
  )
  for (const host of hosts) closers.push(host.close)
  const options = await startNginx(hosts)
  for (let n = 0; n < 6; n++)
    expect(await ask(options('/api/v1/svc-apps/installs'))).toMatchObject({ status: 200 })
  expect(counts).toEqual([3, 3])
  await hosts[0]?.close()
  for (let n = 0; n < 4; n++)
    expect(await ask(options('/api/v1/svc-apps/installs'))).toMatchObject({ status: 200 })
  expect(counts).toEqual([3, 7])
})
