import { serve } from '@hono/node-server'
import fastify from 'fastify'
import { Hono } from 'hono'
import { serveFigures } from '../lib/server.ts'
import { COOKIE, TOKEN, WINDOW } from './head.ts'

/**
 * Two frameworks with the least that they need to answer a call: a header looked up, a JSON body, a JSON
 * answer. They make fewer checks than the others here. Last argument: `hono` or `fastify`.
 */
const heads = { token: TOKEN, cookie: COOKIE, window: WINDOW }
const PATH = '/api/v1/svc-apps/runtime/rpc'

interface Call {
  readonly id: string
}

async function startHono() {
  const app = new Hono()
  app.post(PATH, async (c) => {
    if (c.req.header('x-svc-app-token') !== TOKEN) return c.json({ ok: false }, 401)
    const call = await c.req.json<Call>()
    return c.json({ id: call.id, ok: true, result: {} })
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => serveFigures({ port, ...heads }))
}

async function startFastify() {
  const app = fastify()
  app.post(PATH, async (request, reply) => {
    if (request.headers['x-svc-app-token'] !== TOKEN) return reply.code(401).send({ ok: false })
    return { id: (request.body as Call).id, ok: true, result: {} }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  serveFigures({ port: (app.server.address() as { port: number }).port, ...heads })
}

await (process.argv.at(-1) === 'fastify' ? startFastify() : startHono())
