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

/** Bounds of less than a second, and shares of the machine's memory, which another test would break: these files run alone. */
const alone = [
  'examples/csv-lens/plugin/speed.faults.test.ts',
  'packages/bridge/src/frames-cut.faults.test.ts',
  'packages/conformance/src/link-turns.faults.test.ts',
  'packages/conformance/src/loop.faults.test.ts',
  'packages/conformance/src/page.faults.test.ts',
  'packages/conformance/src/pauses.faults.test.ts',
  'packages/conformance/src/remote-sizes.faults.test.ts',
  'packages/conformance/src/stalled-readers.faults.test.ts',
  'packages/host/src/edge/http/call-socket.faults.test.ts',
  'packages/host/src/edge/http/routes/run-stream.faults.test.ts',
  'packages/host/src/edge/http/stalled.faults.test.ts',
  'packages/host/src/events/frames-cut.faults.test.ts',
  'packages/host/src/plugins/publishing/left.faults.test.ts',
  'packages/mcp/src/hostile.faults.test.ts',
  'packages/runner/src/flood.faults.test.ts',
  'packages/runner/src/isolation/hostile.faults.test.ts',
]
const bounded = {
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: patient.expect,
}

/**
 * The suites: rules (unit), DOM parts (happy-dom), real iframes (chromium), and what is cut, killed and measured on the
 * real clock (faults, of which some files run alone).
 */
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
          // Where two browsers share the cores, what a window does and what its test waits for change places.
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
          ...bounded,
          name: 'faults',
          include: ['**/*.faults.test.ts'],
          exclude: [...never, ...alone],
          // Most of these wait: for processes to come and go, and for installations.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...bounded,
          name: 'faults-alone',
          include: alone,
          exclude: never,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
