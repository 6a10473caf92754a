import { plainPackages, plainServer } from './parts.ts'
import type { Command, Server } from './row.ts'
import { frameworks } from './server-frameworks.ts'

const plain = { packages: plainPackages, files: { 'server.mjs': plainServer } }
const node = ['node', 'server.mjs'] as const

/** What esbuild needs in an ES module for the parts that are CommonJS. */
const REQUIRE = `--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

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
  ...frameworks,
]
