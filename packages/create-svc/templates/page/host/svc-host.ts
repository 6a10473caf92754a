import type { Server } from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createHost } from '@svc/host'
import type { Connect, Plugin } from 'vite'

const PATH = '/svc'
/** The only user there is: put what your own session knows in place of it. */
const USER = { id: 'you' }

/** Opens a host with the app of this project. It keeps its data in memory. */
export const openHost = () =>
  createHost({
    basePath: PATH,
    upgrades: true,
    authenticate: async () => USER,
    apps: [{ dir: path.join(import.meta.dirname, '../app/dist') }],
  })

/** Lists the apps of the user, as the page gets them. */
export async function listApps(host: ReturnType<typeof openHost>) {
  await host.apps.ready()
  return host.apps.installed(USER.id)
}

/** Puts a host under /svc into the server of Vite, for `vite` and `vite preview`. */
export function svcHost(): Plugin {
  function mount({ middlewares, httpServer }: { middlewares: Connect.Server; httpServer: unknown }): void {
    const host = openHost()
    const svc = getRequestListener(host.fetch)
    middlewares.use(async (req, res, next) => {
      if (req.url?.startsWith(`${PATH}/`)) return svc(req, res)
      if (req.url === '/my-apps') return res.end(JSON.stringify(await listApps(host)))
      // Frames of the page show bundles of apps and nothing else.
      const bundles = `http://${req.headers.host}${PATH}/api/v1/svc-apps/bundles/`
      res.setHeader('Content-Security-Policy', `frame-src ${bundles}`)
      next()
    })
    const server = httpServer as Server | null
    server?.on('upgrade', (req, socket, head) => {
      if (req.url?.startsWith(`${PATH}/`)) host.upgrade(req, socket, head)
    })
    server?.on('close', () => void host.close())
  }
  return { name: 'svc-host', configureServer: mount, configurePreviewServer: mount }
}
