import { defineConfig } from 'vitest/config'

const apart = ['**/*.dom.test.ts', '**/*.chromium.test.ts', '**/*.faults.test.ts']
/** Waits end with what they wait for; on a busy machine that comes later than Vitest's one second, and five. */
const patient = { testTimeout: 20_000, hookTimeout: 20_000, expect: { poll: { timeout: 10_000 } } }
const never = ['**/node_modules/**', '**/dist/**']

/** Four suites: rules (unit), DOM parts (happy-dom), real iframes (chromium), bounds on the real clock (faults). */
export default defineConfig({
  test: {
    projects: [
      { test: { ...patient, name: 'unit', include: ['**/*.test.ts'], exclude: [...never, ...apart] } },
      {
        test: {
          ...patient,
          ...{ name: 'dom', environment: 'happy-dom', include: ['**/*.dom.test.ts'], exclude: never },
        },
      },
      {
        test: {
          name: 'chromium',
          include: ['**/*.chromium.test.ts'],
          exclude: never,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['**/*.faults.test.ts'],
          exclude: never,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
