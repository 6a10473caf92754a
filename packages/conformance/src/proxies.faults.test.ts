import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { bentApp, playStraight } from './testing/bent-page.ts'
import { bridgeScript } from './testing/bridge-script.ts'
import { selfSigned } from './testing/certificate.ts'
import { freePort } from './testing/free-port.ts'
import { guideBlock } from './testing/guide-block.ts'
import { runNginx } from './testing/nginx.ts'
import { startPageHost } from './testing/page-host.ts'
import { slackMs } from './testing/processes.ts'
import { startBridge } from './testing/tab-page.ts'

const GUIDE_MS = 60_000
const SITE = 'apps.localhost'
const closers: (() => unknown)[] = []
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function apps() {
  const folder = await writeApps({ bent: { ...bentApp, bundle: { multi_page: true } } })
  closers.push(folder.remove)
  return folder.dir
}

/** A host with a page and the app, whose origin from outside is `origins`. */
async function startHost(...origins: string[]) {
  const host = await startPageHost({ dir: await apps(), ...(origins.length > 0 && { shared: { origins } }) })
  closers.push(host.close)
  return host
}

/** What an app in a page at an address comes to. */
async function outcomeAt(url: string, signsIn = true): Promise<unknown> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  closers.push(() => context.close())
  const page = await context.newPage()
  await expect.poll(() => page.goto(url).then(() => true, String), { timeout: 20_000 }).toBe(true)
  const run = (body: string) => page.evaluate(`(async () => { ${body} })()`)
  await run(
    signsIn ? startBridge : 'while (!globalThis.bridgeApi) await new Promise((done) => setTimeout(done, 20))',
  )
  return playStraight({ run }, await slackMs())
}

/** Lines of a guide for nginx, at a free port and with a certificate of its own. */
async function startNginx(block: string, hostUrl: string, port: number, more = '') {
  const { key, cert } = selfSigned([SITE])
  const lines = (dir: string) => {
    writeFileSync(path.join(dir, 'key.pem'), key)
    writeFileSync(path.join(dir, 'cert.pem'), cert)
    return `map $http_upgrade $connection_upgrade { default upgrade; '' close; }\n${more}\n${block
      .replace(/^map .*$/m, '')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('apps.site.org;', `${SITE};`)
      .replaceAll('http://127.0.0.1:8787', hostUrl)
      .replace(/\/etc\/\S+fullchain\.pem/, path.join(dir, 'cert.pem'))
      .replace(/\/etc\/\S+privkey\.pem/, path.join(dir, 'key.pem'))}`
  }
  closers.push(await runNginx(lines))
}

it.each([
  ['as it is', (block: string) => block],
  ['with HTTP/2', (block: string) => block.replace('443 ssl;', '443 ssl http2;')],
  ['that rewrites Host', (block: string) => block.replace(/^ *proxy_set_header Host .*\n/m, '')],
])('nginx %s, at a port of its own', { timeout: GUIDE_MS }, async (_, change) => {
  const port = await freePort()
  const host = await startHost(`https://${SITE}:${port}`)
  // Whoever is not at 443 passes on the port as well, as the guide to proxies says.
  const block = change(guideBlock('operating.md', '## Behind nginx', 'nginx')).replace(
    '$host;',
    '$http_host;',
  )
  await startNginx(block, host.url, port)
  expect(await outcomeAt(`https://${SITE}:${port}/`)).toBe('works')
})

it('nginx that buffers and compresses all it can', { timeout: GUIDE_MS }, async () => {
  const port = await freePort()
  const host = await startHost()
  closers.push(
    await runNginx(
      () => `gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any;
        server { listen 127.0.0.1:${port}; location / {
          proxy_pass ${host.url}; proxy_http_version 1.1; proxy_set_header Host $http_host; } }`,
    ),
  )
  expect(await outcomeAt(`http://127.0.0.1:${port}/`)).toBe('works')
})

it('nginx that asks for a sign-in shows its page for pages alone', { timeout: GUIDE_MS }, async () => {
  const port = await freePort()
  const host = await startHost(`https://${SITE}:${port}`)
  const signIn = { isThere: true }
  const oauth = createServer((req, res) => {
    if (req.url === '/oauth2/auth') return res.writeHead(signIn.isThere ? 202 : 401).end()
    return res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
  }).listen(0, '127.0.0.1')
  await once(oauth, 'listening')
  closers.push(() => oauth.close())
  const block = guideBlock('behind-a-proxy.md', '## A sign-in of nginx', 'nginx')
  const { port: oauthPort } = oauth.address() as AddressInfo
  await startNginx(block.replaceAll(':4180', `:${oauthPort}`), host.url, port)
  const url = `https://${SITE}:${port}/`
  expect(await outcomeAt(url)).toBe('works')
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  closers.push(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  const run = (body: string) => page.evaluate(`(async () => { ${body} })()`)
  await run(startBridge)
  const lose = () => {
    signIn.isThere = false
  }
  expect(await playStraight({ run }, await slackMs(), lose)).toBe('invalid_token; signed_out')
  await page.goto(url)
  expect(await page.textContent('h1')).toBe('Sign in')
})

it('Caddy', { timeout: GUIDE_MS }, async ({ skip }) => {
  const isThere = spawnSync('caddy', ['version']).status === 0
  skip(!isThere, 'Caddy is not on this machine: apt-get install caddy')
  const port = await freePort()
  const host = await startHost()
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-caddy-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  const block = guideBlock('behind-a-proxy.md', '## Caddy', 'text')
    .replace('apps.site.org', `http://127.0.0.1:${port}`)
    .replace('127.0.0.1:8787', host.url.replace('http://', ''))
  writeFileSync(path.join(dir, 'Caddyfile'), `{\n admin off\n auto_https off\n}\n${block}`)
  const child = spawn('caddy', ['run', '--config', path.join(dir, 'Caddyfile')], {
    stdio: 'ignore',
    env: Object.assign({}, process.env, { HOME: dir }),
  })
  closers.push(async () => {
    if (child.kill()) await once(child, 'exit')
  })
  expect(await outcomeAt(`http://127.0.0.1:${port}/`)).toBe('works')
})

it("Vite's dev server", { timeout: GUIDE_MS }, async () => {
  const host = await startHost()
  const { createServer: createVite } = await import('vite')
  const dir = mkdtempSync(path.join(import.meta.dirname, '../node_modules/.svc-vite-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  const config = guideBlock('behind-a-proxy.md', '## Vite', 'js').replace('http://127.0.0.1:8787', host.url)
  writeFileSync(path.join(dir, 'vite.config.js'), config)
  await writePage(dir)
  const vite = await createVite({ root: dir, server: { port: 0, host: '127.0.0.1' }, logLevel: 'silent' })
  await vite.listen()
  closers.push(() => vite.close())
  expect(await outcomeAt(String(vite.resolvedUrls?.local[0]))).toBe('works')
})

it('Express with compression', { timeout: GUIDE_MS }, async () => {
  const dir = mkdtempSync(path.join(import.meta.dirname, '../node_modules/.svc-express-'))
  closers.push(() => rmSync(dir, { recursive: true }))
  const port = await freePort()
  const code = guideBlock('behind-a-proxy.md', '## Express with compression', 'js').replace(
    '8792',
    String(port),
  )
  writeFileSync(path.join(dir, 'compressed-server.mjs'), code)
  cpSync(path.join(await apps(), 'bent'), path.join(dir, 'my-app'), { recursive: true })
  mkdirSync(path.join(dir, 'public'))
  await writePage(path.join(dir, 'public'))
  const child = spawn(process.execPath, ['compressed-server.mjs'], {
    cwd: dir,
    stdio: 'ignore',
  })
  closers.push(async () => {
    if (child.kill()) await once(child, 'exit')
  })
  expect(await outcomeAt(`http://127.0.0.1:${port}/`, false)).toBe('works')
})

/** The page of `startPageHost`, as files. */
async function writePage(dir: string): Promise<void> {
  writeFileSync(
    path.join(dir, 'index.html'),
    '<!doctype html><title>page</title><main></main><script src="/bridge-page.js"></script>',
  )
  writeFileSync(path.join(dir, 'bridge-page.js'), await bridgeScript())
}
