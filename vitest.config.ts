import { defineConfig } from 'vitest/config'

const apart = ['**/*.dom.test.ts', '**/*.chromium.test.ts', '**/*.faults.test.ts']
const never = ['**/node_modules/**', '**/dist/**']

/** Four suites: rules (unit), DOM parts (happy-dom), real iframes (chromium), bounds on the real clock (faults). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...never, ...apart] } },
      { test: { name: 'dom', environment: 'happy-dom', include: ['**/*.dom.test.ts'], exclude: never } },
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
