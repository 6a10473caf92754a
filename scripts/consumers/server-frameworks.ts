import { plainPackages, serverWith } from './parts.ts'
import type { Server } from './row.ts'

const host = ['@svc/host', '@svc/state-sqlite'] as const
const node = ['node', 'server.mjs'] as const

const route = (open: string) => `import { openSvc } from '${open}'
const opened = () => (globalThis.svcHost ??= openSvc())
const handle = async (request) => (await opened()).fetch(request)
export const dynamic = 'force-dynamic'
export { handle as GET, handle as POST, handle as PUT, handle as DELETE, handle as OPTIONS }
`
const next = {
  packages: [...host, 'next@16', 'react@19', 'react-dom@19'],
  files: {
    'app/api/[...path]/route.js': route('../../../svc.mjs'),
    'app/layout.js': `export default ({ children }) => <html lang="en"><body>{children}</body></html>\n`,
    'app/page.js': `export default () => <p>A page</p>\n`,
    'next.config.mjs': 'export default {}\n',
  },
}
const nextStart = ['next', 'start', '-H', '127.0.0.1'] as const

const nitroRoute = 'routes/api/[...path].ts'

/** Hosts in frameworks, and beside others on one server. */
export const frameworks: readonly Server[] = [
  {
    ...next,
    name: 'Next 16, built by Turbopack',
    build: [['next', 'build']],
    start: nextStart,
  },
  { ...next, name: 'Next 16, built by webpack', build: [['next', 'build', '--webpack']], start: nextStart },
  { ...next, name: 'Next 16, `next dev`', start: ['next', 'dev', '-H', '127.0.0.1'] },
  {
    name: 'Nitro 2',
    packages: [...host, 'nitropack@2', 'h3@1'],
    files: {
      'nitro.config.ts': `export default { compatibilityDate: '2026-11-01' }\n`,
      [nitroRoute]: `import { defineEventHandler, toWebRequest } from 'h3'
import { openSvc } from '../../svc.mjs'
const opened = openSvc()
export default defineEventHandler(async (event) => (await opened).fetch(toWebRequest(event)))
`,
    },
    build: [['nitropack', 'build']],
    moved: '.output',
    start: ['node', 'server/index.mjs'],
  },
  {
    name: 'Nuxt 4',
    packages: [...host, 'nuxt@4'],
    files: {
      'nuxt.config.ts': `export default { compatibilityDate: '2026-11-01', telemetry: false }\n`,
      'app/app.vue': '<template><p>A page</p></template>\n',
      'server/api/[...path].ts': `import { defineEventHandler, toWebRequest } from 'h3'
import { openSvc } from '../../svc.mjs'
const opened = openSvc()
export default defineEventHandler(async (event) => (await opened).fetch(toWebRequest(event)))
`,
    },
    build: [['nuxt', 'build']],
    moved: '.output',
    start: ['node', 'server/index.mjs'],
  },
  {
    name: 'Nitro 3 (beta of September 2026)',
    packages: [...host, 'nitro@3.0.260903-beta'],
    files: {
      'nitro.config.ts': `import { defineConfig } from 'nitro'\nexport default defineConfig({ serverDir: './' })\n`,
      [nitroRoute]: `import { defineHandler } from 'nitro'
import { openSvc } from '../../svc.mjs'
const opened = openSvc()
export default defineHandler(async (event) => (await opened).fetch(event.req))
`,
    },
    build: [['nitro', 'build']],
    moved: '.output',
    start: ['node', 'server/index.mjs'],
    note: 'not `nitro@3.0.0`: its srvx 0.8 ends the `signal` of a request as soon as the body is read, and calls with it',
  },
  {
    name: 'Express 5 with `compression`, beside a WebSocket server',
    packages: [...plainPackages, 'express@5', 'compression', 'ws'],
    files: {
      'server.mjs': serverWith(
        `import compression from 'compression'
import express from 'express'
import { WebSocketServer } from 'ws'`,
        `const app = express()
app.use(compression())
app.use((req, res, next) => (isOurs(req.path) ? svc(req, res) : next()))
const sockets = new WebSocketServer({ noServer: true })
const server = app.listen(process.env.PORT, '127.0.0.1')
server.on('upgrade', (req, socket, head) => {
  if (req.url === '/ws') sockets.handleUpgrade(req, socket, head, (one) => one.send('hello'))
})
server.on('upgrade', host.upgrade)`,
      ),
    },
    start: node,
  },
  {
    name: 'Express 4',
    packages: [...plainPackages, 'express@4'],
    files: {
      'server.mjs': serverWith(
        `import express from 'express'`,
        `const app = express()
app.use((req, res, next) => (isOurs(req.path) ? svc(req, res) : next()))
app.use(express.json())
app.listen(process.env.PORT, '127.0.0.1')`,
      ),
    },
    start: node,
  },
  {
    name: 'Fastify 5, by `@fastify/middie`',
    packages: [...plainPackages, 'fastify@5', '@fastify/middie'],
    files: {
      'server.mjs': serverWith(
        `import middie from '@fastify/middie'
import Fastify from 'fastify'`,
        `const app = Fastify()
await app.register(middie)
app.use((req, res, next) => (isOurs(req.url) ? svc(req, res) : next()))
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })`,
      ),
    },
    start: node,
  },
  {
    name: 'Koa 3',
    packages: [...plainPackages, 'koa@3'],
    files: {
      'server.mjs': serverWith(
        `import Koa from 'koa'`,
        `const app = new Koa()
app.use(async (ctx, next) => {
  if (!isOurs(ctx.path)) return next()
  ctx.respond = false
  await svc(ctx.req, ctx.res)
})
app.listen(Number(process.env.PORT), '127.0.0.1')`,
      ),
    },
    start: node,
  },
  {
    name: 'Hono 4 with `etag()` and `compress()`',
    packages: plainPackages,
    files: {
      'server.mjs': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { openSvc } from './svc.mjs'
const host = await openSvc()
const app = new Hono()
app.use(compress())
app.use('/pages/*', etag())
app.all('/api/*', (c) => host.fetch(c.req.raw))
app.all('/plugs/*', (c) => host.fetch(c.req.raw))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
`,
    },
    start: node,
    note: '`etag()` waits for the end of each answer: keep it away from the paths of the host',
  },
  {
    name: 'h3 2',
    packages: [...host, 'h3@2'],
    files: {
      'server.mjs': `import { H3, serve } from 'h3'
import { openSvc } from './svc.mjs'
const host = await openSvc()
const app = new H3().all('/api/**', (event) => host.fetch(event.req)).all('/plugs/**', (event) => host.fetch(event.req))
serve(app, { port: Number(process.env.PORT), hostname: '127.0.0.1' })
`,
    },
    start: node,
  },
]
