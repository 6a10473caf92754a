import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHost, type HostOptions } from '@svc/host'
import { answerByFetch } from '@svc/node/testing'
import { pino } from 'pino'
import { bundle } from '../bundle.ts'
import { ODD_PLUGIN } from './tool-host.ts'

const HERE = import.meta.dirname
const GUIDE = resolve(HERE, '../../../../docs/guides/embed-from-another-site.md')

/** The files of the guide, by the names in their first lines. */
function guideFiles(): ReadonlyMap<string, string> {
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]))
}

/** A page at `localhost` as the guide has it, and its host at another site, `127.0.0.1`. */
export interface OtherSite {
  /** The address of the page. */
  readonly page: string
  /** The origin of the host. */
  readonly host: string
  /** The cookies that came to the host. */
  readonly cookies: readonly string[]
  close(): Promise<void>
}

/** Starts the files of the guide, with the apps of a folder, and other addresses in place of its own. */
export async function startOtherSite(
  dir: string,
  change: (file: string) => string = (file) => file,
): Promise<OtherSite> {
  const files = guideFiles()
  const folder = mkdtempSync(join(tmpdir(), 'svc-other-site-'))
  mkdirSync(join(folder, 'dist'))
  symlinkSync(resolve(HERE, '../../node_modules'), join(folder, 'node_modules'))
  const secret = 'of the backend of the page, and of the host'
  const env = { ...process.env, PORT: '0', SVC_PAGE_SECRET: secret }
  const cookies: string[] = []
  let backend: ChildProcess | undefined
  let served: ReturnType<typeof createHost> | undefined
  const server = createServer((req, res) => {
    if (req.headers.cookie) cookies.push(req.headers.cookie)
    if (served) answerByFetch(served.fetch, req, res).catch(() => res.destroy())
  })
  server.on('upgrade', (req, socket, head) => served?.upgrade(req, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const placed = (name: string, page = '') =>
    change(files.get(name) ?? '')
      .replaceAll('https://host.net', `http://${at}`)
      .replaceAll('wss://host.net', `ws://${at}`)
      .replaceAll('https://app.site.org', page)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'backend.js'), placed('backend.js'))
  writeFileSync(
    join(folder, 'dist', 'page.js'),
    await bundle({ contents: placed('page.js'), resolveDir: HERE }),
  )
  backend = spawn(process.execPath, ['backend.js'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(backend.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const page = `http://localhost:${/port: (\d+)/.exec(said.toString())?.[1]}`
  process.env.SVC_PAGE_SECRET = secret
  writeFileSync(join(folder, 'svc.config.js'), placed('svc.config.js', page))
  const config = (await import(pathToFileURL(join(folder, 'svc.config.js')).href)) as { default: HostOptions }
  served = createHost({
    ...config.default,
    upgrades: true,
    logger: pino({ level: 'silent' }),
    apps: readdirSync(dir).map((name) => ({ dir: join(dir, name), grants: { upload_grant: true } })),
    plugins: [{ slug: 'odd', command: ['node', ODD_PLUGIN] }],
  })
  await served.apps.ready()
  await served.plugins.ready()
  return {
    page,
    host: `http://${at}`,
    cookies,
    async close() {
      backend?.kill()
      await served?.close()
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
