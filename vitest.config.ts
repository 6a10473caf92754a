import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { svelte } from './packages/svelte/src/testing/vite-plugin.ts'

const kinds = ['dom', 'process', 'chromium', 'faults', 'cluster', 'release']
/**
 * Waits end with what they wait for; on a busy machine that comes later than Vitest's one second, and five. The longest
 * tests are ten seconds of work, which take two minutes where ten others want the same core.
 */
const patient = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }
/** Vitest keeps one core for itself, of two; but most of a run is work of the tests and waiting for processes. */
const everyCore = { maxWorkers: '100%' }
/** Half of the time of a file that starts processes is waiting for them: three of them fill two cores. */
const WAITING = 3
/** The tests of templates run in the projects that are made of them. */
const never = ['**/node_modules/**', '**/dist/**', '**/create-svc/templates/**']

/** No process of ours that a test starts may end by an error that nobody handled. */
const setupFiles = 'scripts/no-crashes.ts'
const chromium = {
  setupFiles,
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: patient.expect,
}
/** `concurrent` tests of one file run two at a time, too. */
const faults = {
  setupFiles,
  testTimeout: 300_000,
  hookTimeout: 180_000,
  maxConcurrency: 2,
  expect: patient.expect,
}

/** Files whose first line says why nothing may run beside them: `// Alone: a fixed bound on the real clock`. */
const aloneOf = (ending: string) =>
  globSync(`{packages,examples,scripts}/**/*${ending}`, {
    exclude: (name) => name === 'node_modules',
  }).filter((file) => readFileSync(file, 'utf8').startsWith('// Alone: '))

/** A suite in two parts: several files at a time, as much of a file is waiting, then those that run alone. */
function parts(name: string, maxWorkers: number, options: object, order: number) {
  const ending = `.${name}.test.ts`
  const alone = aloneOf(ending)
  const beside = { include: [`**/*${ending}`], exclude: [...never, ...alone], maxWorkers }
  return [
    { test: { ...options, ...beside, name, sequence: { groupOrder: order } } },
    {
      test: {
        ...options,
        name: `${name}-alone`,
        include: alone,
        exclude: never,
        fileParallelism: false,
        sequence: { groupOrder: order + 1 },
      },
    },
  ]
}

/**
 * The kind of a test stands in its name. Rules (`*.test.ts`, `*.dom.test.ts` with happy-dom) start no process, listen on
 * no socket, wait for no disk and read no clock of the machine; `process` may; `chromium` has real iframes; `faults` cuts,
 * kills and measures on the real clock; `cluster` has servers that several hosts share; `release` is proven once a
 * release. Parts that run differently come one after the other, where one command runs several: that is their order.
 */
export default defineConfig({
  test: {
    globalSetup: 'scripts/compile-cache.ts',
    projects: [
      {
        plugins: [svelte('server')],
        test: {
          ...patient,
          ...everyCore,
          name: 'rules',
          include: ['**/*.test.ts'],
          exclude: [...never, ...kinds.map((kind) => `**/*.${kind}.test.ts`)],
          setupFiles: 'scripts/rules-only.ts',
          // Nothing here holds state in its modules, so that a worker loads them once and not anew for each file.
          isolate: false,
        },
      },
      {
        plugins: [svelte('client')],
        test: {
          ...patient,
          ...everyCore,
          name: 'dom',
          environment: 'happy-dom',
          include: ['**/*.dom.test.ts'],
          exclude: never,
          setupFiles: 'scripts/rules-only.ts',
        },
      },
      {
        resolve: {
          alias: [
            { find: /^react$/, replacement: path.resolve('packages/react/oldest/react.mjs') },
            {
              find: /^react-dom\/(\w+)$/,
              replacement: path.resolve('packages/react/oldest/node_modules/react-dom/$1.js'),
            },
          ],
        },
        test: {
          ...patient,
          ...everyCore,
          name: 'react-18',
          environment: 'happy-dom',
          include: ['packages/react/**/{*.dom,server}.test.ts'],
          exclude: never,
          setupFiles: 'scripts/rules-only.ts',
        },
      },
      {
        plugins: [svelte('server')],
        test: {
          ...patient,
          maxWorkers: WAITING,
          setupFiles,
          name: 'process',
          include: ['**/*.process.test.ts'],
          exclude: never,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      ...parts('chromium', WAITING, chromium, 2),
      ...parts('faults', WAITING, faults, 4),
      {
        test: {
          ...faults,
          name: 'cluster',
          include: ['**/*.cluster.test.ts'],
          exclude: never,
          // Each file starts servers of its own, PostgreSQL as a copy of one folder.
          globalSetup: 'packages/conformance/src/testing/postgres-template.ts',
          maxWorkers: WAITING,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          ...faults,
          name: 'release',
          include: ['**/*.release.test.ts'],
          exclude: never,
          maxWorkers: 2,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
})
