import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
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

  const app = new Hono()
  app.all(`${HOST_PATH}/*`, (c) => host.fetch(c.req.raw))
  app.get('/my-apps', async (c) => c.json(await host.apps.installed(USER.id)))
  app.use(async (c, next) => {
    await next()
    c.header('Content-Security-Policy', framePolicy(c.req.header('host')))
  })
  app.use(serveStatic({ root: pageFolder }))

  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  server.on('upgrade', host.upgrade)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      await close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}
