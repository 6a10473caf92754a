import type { Unnoticed } from './unnoticed.ts'

export const limiter: readonly Unnoticed[] = [
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "const [address = '', bits] = range.split('/')",
    changes: ["'' → 'other'"],
    reason: 'For the compiler of types: the first part of a split is always there.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')",
    changes: ['0 → 1', '0 → -1'],
    reason: 'A short cut: a BlockList holds no text that is not an address.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')",
    changes: ["'ipv6' → 'other'"],
    reason: 'Node reads every other family as version 6.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: 'const anyTrusted = proxies.rules.length > 0',
    changes: ['> → >=', '0 → -1'],
    reason: 'A short cut: a list without ranges holds no address.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: 'if (peer === undefined) return undefined',
    changes: ['return x → return'],
    reason: 'A return without a value is undefined.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "const hops = (head.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))",
    changes: ["'' → 'other'"],
    reason: 'Neither text is an address, so neither is a hop.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "const [head = '', tail] = address.split('::')",
    changes: ["'' → 'other'"],
    reason: 'For the compiler of types: the first part of a split is always there.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: 'const gap = tail === undefined ? 0 : ALL_GROUPS - before.length - after.length',
    changes: ['0 → 1', '0 → -1'],
    reason:
      'An address without a gap has eight groups: one more is past its network, and there is none to take away.',
  },
  {
    file: 'packages/host/src/kernel/limiter/addresses.ts',
    code: "const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]",
    changes: ['0 → 1', '0 → -1'],
    reason:
      'A gap of a valid address has at least one group; where there is no gap, one more is past its network.',
  },
  {
    file: 'packages/host/src/kernel/limiter/bodies.ts',
    code: 'const came = one.came?.() ?? 0',
    changes: ['0 → 1', '0 → -1'],
    reason: 'Only whether it changes counts.',
  },
  {
    file: 'packages/host/src/kernel/limiter/buckets.ts',
    code: 'const ROUNDING_MS = 1e-6',
    changes: ['0.000001 → -0.999999'],
    reason: 'A wait between that and 0 becomes `-0`, which every caller compares as 0.',
  },
  {
    file: 'packages/host/src/kernel/limiter/buckets.ts',
    code: 'known === undefined || known <= time ? time : Math.min(known, time + fillMs)',
    changes: ['<= → <'],
    reason: 'Where the two are equal both branches are `time`.',
  },
  {
    file: 'packages/host/src/kernel/limiter/buckets.ts',
    code: 'const waitFor = (missingMs: number) => (missingMs > ROUNDING_MS ? Math.ceil(missingMs) : 0)',
    changes: ['> → >='],
    reason: 'The bound is below what a clock can tell: no time is exactly that.',
  },
  {
    file: 'packages/host/src/kernel/limiter/limiter.ts',
    code: "const ALL = 'all'",
    changes: ["'all' → 'other'"],
    reason: 'The one key of its buckets: any does.',
  },
  {
    file: 'packages/host/src/kernel/limiter/limiter.ts',
    code: 'const ofApp = appId === undefined ? 0 : beside.take(`${userId} ${appId}`, count)',
    changes: ['0 → -1'],
    reason: 'Only whether it is above 0 counts.',
  },
  {
    file: 'packages/host/src/kernel/limiter/limiter.ts',
    code: 'if (own.size === 0) return',
    changes: ['0 → -1'],
    reason: 'A short cut: where there is no bucket nothing is missing.',
  },
  {
    file: 'packages/host/src/kernel/limiter/limiter.ts',
    code: 'const wait = address === undefined ? 0 : own.wait(address)',
    changes: ['0 → -1'],
    reason: 'Only whether it is above 0 counts.',
  },
  {
    file: 'packages/host/src/kernel/limiter/load.ts',
    code: 'let before = { users: 0, total: 0 }',
    changes: ['0 → 1', '0 → -1'],
    reason: 'Nothing is short before the first sample, which sets both.',
  },
  {
    file: 'packages/host/src/kernel/limiter/load.ts',
    code: 'let due = 0',
    changes: ['0 → 1', '0 → -1'],
    reason: 'It is set before it is read.',
  },
  {
    file: 'packages/host/src/kernel/limiter/load.ts',
    code: "const users = Math.max(before.users, counts.size, shortages.includes('memory') ? SHARES_OF_MEMORY : 1)",
    changes: ['1 → 0'],
    reason: 'Who asks is counted before, so that there is one.',
  },
  {
    file: 'packages/host/src/kernel/limiter/load.ts',
    code: 'const room = container > 0 && container < machine ? container : machine',
    changes: ['0 → 1'],
    reason: 'No container has a byte.',
  },
  {
    file: 'packages/host/src/kernel/limiter/load.ts',
    code: 'const room = container > 0 && container < machine ? container : machine',
    changes: ['< → <='],
    reason: 'Where the two are equal, either is the room.',
  },
]
