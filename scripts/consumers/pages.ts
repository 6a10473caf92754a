import { react, svelte, vue } from './page-frameworks.ts'
import type { Command, Page } from './row.ts'

const ours = ['@svc/bridge', '@svc/sdk'] as const
const out = { page: 'out/page', app: 'out/app' } as const
/** The two parts that a row builds. */
const both = (command: (part: 'page' | 'app') => Command): readonly Command[] => [
  command('page'),
  command('app'),
]
const finish: Command = ['node', 'finish.mjs', 'page', 'app']
const manifest: Command = ['node', 'finish.mjs']

const vite = (name: string, more: Partial<Page> & Pick<Page, 'packages'>): Page => ({
  ...out,
  name,
  build: [...both((part) => ['vite', 'build', part, '--base', './', '--outDir', `../out/${part}`]), manifest],
  ...more,
})

const webpackLike = `const one = (part) => ({
  mode: 'production', entry: './' + part + '/main.js', output: { path: __dirname + '/out/' + part, filename: 'main.js' },
})
module.exports = [one('page'), one('app')]
`

const reactRow = (name: string, version: string): Page =>
  vite(name, {
    packages: [...ours, '@svc/react', `react@${version}`, `react-dom@${version}`, 'vite@8'],
    files: react,
  })

/** Pages and apps of people, each built by one tool. A window of the page shows what the app kept. */
export const pages: readonly Page[] = [
  ...['5', '6', '7', '8'].map((major) =>
    vite(`Vite ${major}`, {
      packages: [...ours, `vite@${major}`],
      ...(major === '5' && { note: "`await` at the top of a module needs `build: { target: 'es2022' }`" }),
    }),
  ),
  {
    ...out,
    name: 'esbuild, with parts on demand',
    packages: [...ours, 'esbuild'],
    build: [
      ...both((part) => [
        'esbuild',
        `${part}/main.js`,
        '--bundle',
        '--format=esm',
        '--splitting',
        '--minify',
        `--outdir=out/${part}`,
      ]),
      finish,
    ],
  },
  {
    ...out,
    name: 'esbuild, one file',
    packages: [...ours, 'esbuild'],
    build: [
      ...both((part) => ['esbuild', `${part}/main.js`, '--bundle', '--format=iife', `--outdir=out/${part}`]),
      finish,
    ],
  },
  {
    ...out,
    name: 'webpack 5',
    packages: [...ours, 'webpack@5', 'webpack-cli'],
    files: { 'webpack.config.cjs': webpackLike },
    build: [['webpack'], finish],
  },
  {
    ...out,
    name: 'Rspack 2',
    packages: [...ours, '@rspack/core@2', '@rspack/cli@2'],
    files: { 'rspack.config.cjs': webpackLike },
    build: [['rspack', 'build'], finish],
  },
  {
    ...out,
    name: 'Rollup 4',
    packages: [...ours, 'rollup@4', '@rollup/plugin-node-resolve'],
    build: [
      ...both((part) => [
        'rollup',
        `${part}/main.js`,
        '-d',
        `out/${part}`,
        '-f',
        'esm',
        '-p',
        'node-resolve',
      ]),
      finish,
    ],
  },
  {
    ...out,
    name: 'Rolldown 1',
    packages: [...ours, 'rolldown@1'],
    build: [
      ...both((part) => ['rolldown', `${part}/main.js`, '-d', `out/${part}`, '--platform', 'browser']),
      finish,
    ],
  },
  {
    ...out,
    name: 'Parcel 2',
    packages: [...ours, 'parcel@2'],
    build: [
      ...both((part) => [
        'parcel',
        'build',
        `${part}/index.html`,
        '--dist-dir',
        `out/${part}`,
        '--public-url',
        './',
      ]),
      manifest,
    ],
  },
  {
    ...out,
    name: 'Bun 1.4',
    packages: ours,
    build: [
      ...both((part) => ['bun', 'build', `${part}/main.js`, '--outdir', `out/${part}`, '--splitting']),
      finish,
    ],
  },
  {
    ...out,
    name: 'Deno 2',
    packages: ours,
    build: [
      ...both((part) => [
        'deno',
        'bundle',
        '--platform',
        'browser',
        '--outdir',
        `out/${part}`,
        `${part}/main.js`,
      ]),
      finish,
    ],
  },
  {
    ...out,
    name: 'no bundler for the app: `@svc/sdk/svc.js` beside its page',
    packages: [...ours, 'esbuild'],
    build: [
      ['esbuild', 'page/main.js', '--bundle', '--format=esm', '--outdir=out/page'],
      ['node', 'copy.mjs'],
      finish,
    ],
    files: {
      'copy.mjs': `import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
mkdirSync('out/app', { recursive: true })
copyFileSync(fileURLToPath(import.meta.resolve('@svc/sdk/svc.js')), 'out/app/svc.js')
writeFileSync('out/app/main.js', readFileSync('app/main.js', 'utf8').replace('@svc/sdk', './svc.js'))
`,
    },
  },
  reactRow('React 18.0', '18.0.0'),
  reactRow('React 18.3', '18.3'),
  reactRow('React 19', '19'),
  vite('Vue 3.4', { packages: [...ours, '@svc/vue', 'vue@3.4.0', 'vite@8'], files: vue }),
  vite('Vue 3.5', { packages: [...ours, '@svc/vue', 'vue@3.5', 'vite@8'], files: vue }),
  vite('Svelte 5.9', { packages: [...ours, '@svc/svelte', 'svelte@5.9.0', 'vite@8'], files: svelte }),
  vite('Svelte 5', { packages: [...ours, '@svc/svelte', 'svelte@5', 'vite@8'], files: svelte }),
  vite('Preact 10, by its names of React', {
    packages: [
      ...ours,
      '@svc/react',
      'preact@10',
      'react@npm:@preact/compat@18',
      'react-dom@npm:@preact/compat@18',
      'vite@8',
    ],
    files: react,
  }),
]
