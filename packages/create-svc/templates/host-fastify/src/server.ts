import fastifyStatic from '@fastify/static'
import { getRequestListener } from '@hono/node-server'
import fastify from 'fastify'
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

  const app = fastify({ forceCloseConnections: true })
  // Before Fastify reads a body: the host reads its own.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(`${HOST_PATH}/`)) {
      reply.header('Content-Security-Policy', framePolicy(request.headers.host))
      return
    }
    reply.hijack()
    await svc(request.raw, reply.raw)
  })
  app.get('/my-apps', () => host.apps.installed(USER.id))
  await app.register(fastifyStatic, { root: pageFolder })

  app.server.on('upgrade', host.upgrade)
  const url = await app.listen({ port, host: '127.0.0.1' })
  return {
    url,
    async close() {
      await close()
      await app.close()
    },
  }
}
