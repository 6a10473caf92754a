import { defineConfig } from 'vitest/config'
import { svelte } from './packages/svelte/src/testing/vite-plugin.ts'
import { aloneWith } from './scripts/alone-tests.ts'

const apart = ['**/*.dom.test.ts', '**/*.chromium.test.ts', '**/*.faults.test.ts', '**/*.cluster.test.ts']
/**
 * Waits end with what they wait for; on a busy machine that comes later than Vitest's one second, and five. The longest
 * tests are ten seconds of work, which take two minutes where ten others want the same core.
 */
const patient = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }
/** Vitest keeps one core for itself, of two; but most of a run is work of the tests and waiting for processes. */
const everyCore = { maxWorkers: '100%' }
/** The tests of templates run in the projects that are made of them. */
const never = ['**/node_modules/**', '**/dist/**', '**/create-svc/templates/**']

const chromium = {
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: patient.expect,
}
/** `concurrent` tests of one file run two at a time, too. */
const faults = { testTimeout: 300_000, hookTimeout: 180_000, maxConcurrency: 2, expect: patient.expect }

/** A suite in two parts: files two at a time, as most of a file is waiting, then those that run alone. */
function parts(name: string, options: object, order: number) {
  const ending = `.${name}.test.ts` as const
  const alone = aloneWith(ending)
  const beside = { include: [`**/*${ending}`], exclude: [...never, ...alone], maxWorkers: 2 }
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
 * Five suites: rules (unit), DOM parts (happy-dom), real iframes (chromium), bounds on the real clock (faults), servers
 * that several hosts share (cluster). Chromium and faults have a part whose files run alone (`scripts/alone-tests.ts`). Parts that run differently come one after the other,
 * where one command runs several: that is their order.
 */
export default defineConfig({
  test: {
    globalSetup: 'scripts/compile-cache.ts',
    projects: [
      {
        plugins: [svelte('server')],
        test: {
          ...patient,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...never, ...apart],
          // Nothing here holds state in its modules, so that a worker loads them once and not anew for each file.
          isolate: false,
          ...everyCore,
        },
      },
      {
        plugins: [svelte('client')],
        test: {
          ...patient,
          name: 'dom',
          environment: 'happy-dom',
          ...everyCore,
          include: ['**/*.dom.test.ts'],
          exclude: never,
        },
      },
      ...parts('chromium', chromium, 1),
      ...parts('faults', faults, 3),
      {
        test: {
          ...faults,
          name: 'cluster',
          include: ['**/*.cluster.test.ts'],
          exclude: never,
          // Each file starts servers of its own.
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
