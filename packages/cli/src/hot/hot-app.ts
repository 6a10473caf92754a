import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { DevRequest, DevSource } from '@svc/host'
import { createLogger, createServer, type DevEnvironment, type Plugin } from 'vite'
import { withNodeEnv } from '../project/build.ts'
import type { Project } from '../project/project.ts'
import { BASE, inFolder } from './base.ts'
import { type Checked, openHeldUpdates } from './held-updates.ts'
import { openInlineScripts } from './inline-scripts.ts'
import { openLateReloads } from './late-reloads.ts'
import { openRestarts } from './restarts.ts'
import { scriptSyntax } from './script-syntax.ts'
import { openWindowErrors, REFUSED, type WindowError } from './window-errors.ts'
import { openWindowSockets } from './window-sockets.ts'

/** What `openHotApp` takes. */
export interface HotOptions {
  /** Where Vite listens: `0`, or the port that an older one had, which windows still ask for. */
  readonly port: number
  /** Called after a module was saved, and after a window asked for one that cannot be compiled. */
  readonly onChecked: (checked: Checked) => void
  /** Called with the first error that windows threw since a file was saved or a document loaded; `null`: that is over. */
  readonly onThrown: (error: WindowError | null) => void
  /** Called after a file of the app's `public` was saved. */
  readonly onPublic: () => void
}

/** An app of sources that Vite serves, and that is updated in its windows when a file of it is saved. */
export interface HotApp {
  readonly port: number
  /** What the host serves in place of the built files. */
  readonly source: DevSource
  /** Windows are about to load the app anew: what their documents throw until then is not told. Returns what takes that back. */
  replaced(): () => void
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** With what the host shows that it is the host. */
const SECRET_HEADER = 'x-svc-dev'

/**
 * Starts a development server of Vite for an app, on a port of this machine. Windows load its files through the host,
 * whose policy is the same as for a built bundle; only the socket that tells of updates goes to Vite itself.
 */
export async function openHotApp(
  { dir }: Project,
  { port, onChecked, onThrown, onPublic }: HotOptions,
): Promise<HotApp> {
  const server = createHttpServer()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const windows = openWindowSockets(server)
  await listen(server, port)
  const own = (server.address() as AddressInfo).port
  const scripts = openInlineScripts()
  const errors = openWindowErrors(onThrown)
  function noErrors(): void {
    if (errors.again()) onThrown(null)
  }
  function saved(checked: Checked): void {
    if (checked.error === null) noErrors()
    onChecked(checked)
  }
  const updates = openHeldUpdates(saved)
  const restarts = openRestarts({ onChecked: saved, onPublic })
  const secret = randomBytes(16).toString('hex')
  const reloads = openLateReloads()
  const vite = await withNodeEnv('development', () =>
    createServer({
      root: dir,
      base: BASE,
      mode: 'development',
      appType: 'mpa',
      clearScreen: false,
      customLogger: createLogger('silent'),
      plugins: [
        windows.plugin,
        scripts.plugin,
        scriptSyntax,
        reloads.plugin,
        ...updates.plugins,
        errors.plugin,
        restarts.plugin,
        ownClient,
      ],
      server: {
        middlewareMode: true,
        forwardConsole: { unhandledErrors: true, logLevels: [] },
        hmr: { overlay: false },
        ws: { server: windows.admitted, protocol: 'ws', host: LOOPBACK, clientPort: own },
      },
    }),
  ).catch((error: unknown) => {
    server.close()
    throw error
  })
  server.on('request', (request, response) => {
    function refuse(status: number): void {
      response.statusCode = status
      response.end()
    }
    // Only the host asks here, as no other program and no page of this machine may read the sources.
    if (request.headers[SECRET_HEADER] !== secret) return refuse(404)
    // Vite answers what it does not have, and leaves what it cannot compile.
    restarts
      .settled()
      .then(() => vite.middlewares(request, response, () => refuse(500)))
      .catch(() => refuse(500))
  })

  async function read({ path: name, search, folder, accept }: DevRequest) {
    if (accept?.includes('text/html')) {
      reloads.noteDocument()
      errors.noteDocument(folder)
      noErrors()
    }
    // It would open a file of this machine in the developer's editor.
    if (name.startsWith('__open-in-editor')) return null
    const inline = scripts.read(name)
    if (inline !== undefined)
      return { status: 200, type: SCRIPT, bytes: inFolder(SCRIPT, Buffer.from(inline), folder) } as const
    const response = await fetch(`http://${LOOPBACK}:${own}${BASE}${name}${search}`, {
      headers: { accept: accept ?? '*/*', [SECRET_HEADER]: secret },
      redirect: 'manual',
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (!response.ok && response.status < 500) return null
    if (response.status === 500) await updates.noteAsked(vite.environments.client, `/${name}${search}`)
    const said = response.headers.get('content-type') ?? 'application/octet-stream'
    const type = said.startsWith('text/') && !said.includes('charset') ? `${said}; charset=utf-8` : said
    return { status: response.ok ? 200 : 500, type, bytes: inFolder(type, bytes, folder) } as const
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await restarts.close()
    await vite.close()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  try {
    // Vite then knows every module that a window will have, also before there is one, and which packages they import.
    const page = await read({ path: 'index.html', search: '', folder: BASE, accept: 'text/html' })
    await compileAll(vite.environments.client, Buffer.from(page?.bytes ?? []).toString())
  } catch (error) {
    await close()
    throw error
  }
  return {
    port: own,
    source: { connect: [`ws://${LOOPBACK}:${own}`], read },
    replaced: errors.noteReplaced,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

const SCRIPT = 'text/javascript; charset=utf-8'

/**
 * An opaque document has no shared workers: the client then waits by itself for a server that comes back. What a module
 * throws while it is replaced is an error like others.
 */
const CLIENT = `const SharedWorker = undefined
const console = { ...globalThis.console, error: (...said) => said[1] instanceof Error
  ? globalThis.reportError(said[1]) : globalThis.console.error(...said) }
`
const REFUSALS = `
addEventListener('securitypolicyviolation', ({ effectiveDirective: directive, blockedURI: blocked }) => {
  transport.send({ type: 'custom', event: '${REFUSED}', data: { directive, blocked } }).catch(() => undefined)
})
`
const ownClient: Plugin = {
  name: 'svc:own-client',
  apply: 'serve',
  transform: {
    filter: { id: /\/vite\/dist\/client\/client\.mjs$/ },
    handler: (code) => ({ code: CLIENT + code + REFUSALS, map: null }),
  },
}

/** Compiles the scripts of a page and all that they import; what fails is told when it is saved, or asked for. */
async function compileAll(environment: DevEnvironment, page: string): Promise<void> {
  const scripts = page.matchAll(new RegExp(`src="${BASE}([^"]+)"`, 'g'))
  for (const [, script] of scripts) await environment.transformRequest(`/${script}`).catch(() => null)
  // A module that is compiled adds those that it imports to the end of this map.
  for (const url of environment.moduleGraph.urlToModuleMap.keys())
    await environment.transformRequest(url).catch(() => null)
}

/** Listens on a port; on any, where that one was taken meanwhile. */
async function listen(server: ReturnType<typeof createHttpServer>, port: number): Promise<void> {
  server.listen(port, LOOPBACK)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await listen(server, 0)
  }
}
