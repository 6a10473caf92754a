import { plainPackages, plainServer, serverWith } from './parts.ts'
import type { Command, Server } from './row.ts'

const host = ['@svc/host', '@svc/state-sqlite'] as const
const plain = { packages: plainPackages, files: { 'server.mjs': plainServer } }
const node = ['node', 'server.mjs'] as const

/** What esbuild needs in an ES module for the parts that are CommonJS. */
const REQUIRE = `--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

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

const bundler = (name: string, packages: readonly string[], output: string, build: readonly Command[]) =>
  ({
    name,
    packages: [...plainPackages, ...packages],
    files: { 'server.mjs': plainServer },
    build,
    moved: 'out',
    start: ['node', output],
  }) satisfies Server

const webpackLike = `module.exports = {
  mode: 'production', target: 'node', entry: './server.mjs',
  output: { path: __dirname + '/out', filename: 'server.cjs' },
}
`
const nitroRoute = 'routes/api/[...path].ts'

/** Servers of people with the host in them. Each opens a window, keeps values and a file, and calls a tool. */
export const servers: readonly Server[] = [
  { name: 'npm, ES modules', ...plain, start: node },
  {
    name: 'npm, CommonJS',
    packages: plainPackages,
    files: {
      'server.cjs': `const { createServer } = require('node:http')
const { getRequestListener } = require('@hono/node-server')
const { createHost } = require('@svc/host')
const { openFolder } = require('@svc/state-sqlite')
if (typeof createHost !== 'function' || typeof openFolder !== 'function') throw new Error('nothing there')
import('./svc.mjs').then(async ({ openSvc }) => {
  createServer(getRequestListener((await openSvc()).fetch)).listen(Number(process.env.PORT), '127.0.0.1')
})
`,
    },
    start: ['node', 'server.cjs'],
  },
  { name: 'npm, the oldest Node (22.19)', ...plain, node: 'oldest', start: node },
  { name: 'pnpm 12', ...plain, manager: 'pnpm', start: node },
  { name: 'Yarn 4, node_modules', ...plain, manager: 'yarn', start: node },
  {
    name: "Yarn 4, Plug'n'Play",
    ...plain,
    manager: 'yarn-pnp',
    start: ['yarn', 'node', 'server.mjs'],
    note: 'add `hono` beside `@hono/node-server`: Yarn installs no peers',
  },
  { name: 'Bun installs, Node runs', ...plain, manager: 'bun', start: node },
  { name: 'Bun 1.4 installs and runs', ...plain, manager: 'bun', start: ['bun', 'server.mjs'] },
  {
    ...bundler('esbuild, one ES module', ['esbuild'], 'server.mjs', [
      [
        'esbuild',
        'server.mjs',
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--outdir=out',
        '--out-extension:.js=.mjs',
        REQUIRE,
      ],
    ]),
    note: 'with a banner that makes `require`, for the parts that are CommonJS',
  },
  bundler('esbuild, one file of CommonJS', ['esbuild'], 'server.cjs', [
    ['esbuild', 'server.mjs', '--bundle', '--platform=node', '--format=cjs', '--outfile=out/server.cjs'],
  ]),
  {
    ...bundler('webpack 5', ['webpack@5', 'webpack-cli'], 'server.cjs', [['webpack']]),
    files: { 'server.mjs': plainServer, 'webpack.config.cjs': webpackLike },
  },
  {
    ...bundler('Rspack 2', ['@rspack/core@2', '@rspack/cli@2'], 'server.cjs', [['rspack', 'build']]),
    files: { 'server.mjs': plainServer, 'rspack.config.cjs': webpackLike },
  },
  {
    ...bundler(
      'Rollup 4',
      ['rollup@4', '@rollup/plugin-node-resolve', '@rollup/plugin-commonjs', '@rollup/plugin-json'],
      'server.mjs',
      [['rollup', '-c']],
    ),
    files: {
      'server.mjs': plainServer,
      'rollup.config.mjs': `import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import resolve from '@rollup/plugin-node-resolve'
export default {
  input: 'server.mjs',
  output: { file: 'out/server.mjs', format: 'esm', inlineDynamicImports: true },
  plugins: [resolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
}
`,
    },
  },
  bundler('Rolldown 1', ['rolldown@1'], 'server.mjs', [
    [
      'rolldown',
      'server.mjs',
      '--platform',
      'node',
      '--format',
      'esm',
      '-d',
      'out',
      '--entry-file-names',
      '[name].mjs',
      '--chunk-file-names',
      '[name]-[hash].mjs',
    ],
  ]),
  {
    ...bundler('Vite 8, for servers', ['vite@8'], 'server.mjs', [['vite', 'build']]),
    files: {
      'server.mjs': plainServer,
      'vite.config.mjs': `export default { ssr: { noExternal: true }, build: { ssr: 'server.mjs', outDir: 'out' } }\n`,
    },
  },
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
