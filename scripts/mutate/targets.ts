/** Sources whose rules are walls, and the tests that must notice each change of them. Globs. */
export interface Target {
  readonly sources: string
  readonly tests: readonly string[]
}

const host = 'packages/host/src'
const contract = 'packages/contract/src'

export const targets: readonly Target[] = [
  { sources: `${host}/access/manifest.ts`, tests: [`${host}/access/manifest.test.ts`] },
  { sources: `${host}/access/tools.ts`, tests: [`${host}/access/tools.test.ts`] },
  { sources: `${host}/tokens/tokens.ts`, tests: [`${host}/tokens/tokens.test.ts`] },
  { sources: `${host}/limiter/buckets.ts`, tests: [`${host}/limiter/buckets.test.ts`] },
  { sources: `${contract}/states/*.ts`, tests: [`${contract}/states/*.test.ts`] },
  { sources: `${contract}/machine.ts`, tests: [`${contract}/machine.test.ts`] },
  { sources: `${contract}/tokens.ts`, tests: [`${contract}/tokens.test.ts`] },
  { sources: `${host}/limiter/addresses.ts`, tests: [`${host}/limiter/addresses.test.ts`] },
  { sources: 'packages/bridge/src/guard.ts', tests: ['packages/bridge/src/guard.test.ts'] },
]
