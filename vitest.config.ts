import { defineConfig } from 'vitest/config'

const apart = ['**/*.dom.test.ts', '**/*.chromium.test.ts', '**/*.faults.test.ts']
/**
 * Waits end with what they wait for; on a busy machine that comes later than Vitest's one second, and five. The longest
 * tests are ten seconds of work, which take two minutes where ten others want the same core.
 */
const patient = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }
/** Vitest keeps one core for itself, of two; but most of a run is work of the tests and waiting for processes. */
const everyCore = { maxWorkers: '100%' }
const never = ['**/node_modules/**', '**/dist/**']

/** Four suites: rules (unit), DOM parts (happy-dom), real iframes (chromium), bounds on the real clock (faults). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...patient,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...never, ...apart],
          // Nothing here holds state in its modules, so that a worker loads them once and not anew for each file.
          isolate: false,
          globalSetup: 'scripts/compile-cache.ts',
          ...everyCore,
        },
      },
      {
        test: {
          ...patient,
          name: 'dom',
          environment: 'happy-dom',
          ...everyCore,
          include: ['**/*.dom.test.ts'],
          exclude: never,
        },
      },
      {
        test: {
          name: 'chromium',
          include: ['**/*.chromium.test.ts'],
          exclude: never,
          isolate: false,
          fileParallelism: false,
          // Behind the suites that run on every core, where one command runs both.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient.expect,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['**/*.faults.test.ts'],
          exclude: never,
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: patient.expect,
        },
      },
    ],
  },
})
