import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { framePolicy, HOST_PATH, openHost, pageFolder, USER } from './host.ts'

/**
 * Starts the site with its host.
 *
 * @param port 0 takes a free one
 * @param data the folder of the data
 */
export async function openServer(port: number, data?: string) {
  const { host, close } = await openHost(data)
  await host.apps.ready()
  const svc = getRequestListener(host.fetch)

  const app = express()
  // Before anything that reads bodies: the host reads its own.
  app.use((req, res, next) => (req.path.startsWith(`${HOST_PATH}/`) ? svc(req, res) : next()))
  app.get('/my-apps', async (_req, res) => {
    res.json(await host.apps.installed(USER.id))
  })
  app.use((req, res, next) => {
    res.setHeader('Content-Security-Policy', framePolicy(req.headers.host))
    next()
  })
  app.use(express.static(pageFolder))

  const server = app.listen(port, '127.0.0.1')
  server.on('upgrade', host.upgrade)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      await close()
      server.closeAllConnections()
    },
  }
}
