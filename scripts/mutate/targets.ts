/**
 * Sources whose rules are walls, and the tests that must notice each change of them. Globs. The numbers of
 * `contract/src/limits` are not among them: each is in `docs/reference/limits.md`, and a check compares the two.
 */
export interface Target {
  readonly sources: string
  readonly tests: readonly string[]
}

const host = 'packages/host/src'
const runner = 'packages/runner/src'
const contract = 'packages/contract/src'
export const targets: readonly Target[] = [
  { sources: `${host}/access/manifest.ts`, tests: [`${host}/access/{manifest,tools}.test.ts`] },
  { sources: `${host}/work/tools/reach.ts`, tests: [`${host}/work/tools/reach.test.ts`] },
  { sources: `${host}/work/tools/agreed.ts`, tests: [`${host}/work/tools/agreed.test.ts`] },
  {
    sources: `${host}/plugins/deployments/agreement.ts`,
    tests: [`${host}/plugins/deployments/agreement.test.ts`],
  },
  {
    sources: `${host}/plugins/deployments/read-consent.ts`,
    tests: [`${host}/plugins/deployments/read-consent.test.ts`],
  },
  { sources: `${host}/apps/agree.ts`, tests: [`${host}/{apps,plugins/deployments}/agree.test.ts`] },
  { sources: `${host}/access/users/sign-in.ts`, tests: [`${host}/access/users/{admitted,sign-in}.test.ts`] },
  {
    sources: `${host}/{user-data/user-data,access/users/users}.ts`,
    tests: [`${host}/access/users/{block.process,ends,hosts,make-user,meanwhile.process}.test.ts`],
  },
  { sources: `${host}/access/tokens/tokens.ts`, tests: [`${host}/access/tokens/{secrets,tokens}.test.ts`] },
  { sources: `${host}/kernel/limiter/addresses.ts`, tests: [`${host}/kernel/limiter/addresses.test.ts`] },
  { sources: `${host}/kernel/limiter/bodies.ts`, tests: [`${host}/kernel/limiter/bodies.test.ts`] },
  { sources: `${host}/kernel/limiter/buckets.ts`, tests: [`${host}/kernel/limiter/buckets.test.ts`] },
  {
    sources: `${host}/kernel/limiter/limiter.ts`,
    tests: [`${host}/kernel/limiter/{classes,limiter}.test.ts`],
  },
  { sources: `${host}/kernel/limiter/load.ts`, tests: [`${host}/kernel/limiter/load.test.ts`] },
  {
    sources: `${host}/check-limits.ts`,
    tests: [`${host}/{check-limits,limit-relations}.test.ts`],
  },
  { sources: `${host}/models/quotas/*.ts`, tests: [`${host}/models/quotas/*.test.ts`] },
  { sources: `${contract}/states/*.ts`, tests: [`${contract}/states/*.test.ts`] },
  { sources: `${contract}/digest.ts`, tests: [`${contract}/digest.test.ts`] },
  { sources: `${contract}/machine.ts`, tests: [`${contract}/machine.test.ts`] },
  { sources: `${contract}/rates.ts`, tests: [`${contract}/rates.test.ts`] },
  { sources: `${contract}/tokens.ts`, tests: [`${contract}/tokens.test.ts`] },
  { sources: 'packages/bridge/src/guard.ts', tests: ['packages/bridge/src/guard.test.ts'] },
  { sources: `${runner}/remote/allow.ts`, tests: [`${runner}/remote/{allow.process,gate}.test.ts`] },
  { sources: `${runner}/isolation/bubblewrap.ts`, tests: [`${runner}/isolation/bubblewrap.test.ts`] },
  { sources: `${runner}/isolation/cell.ts`, tests: [`${runner}/isolation/cell.test.ts`] },
  { sources: `${runner}/isolation/egress.ts`, tests: [`${runner}/isolation/egress{,-ends.process}.test.ts`] },
  { sources: `${runner}/isolation/isolate.ts`, tests: [`${runner}/isolation/isolate.process.test.ts`] },
  { sources: `${runner}/isolation/seccomp.ts`, tests: [`${runner}/isolation/seccomp.test.ts`] },
  { sources: `${runner}/isolation/view.ts`, tests: [`${runner}/isolation/view{,-rules.process}.test.ts`] },
]
