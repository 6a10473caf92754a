/** A change that no test can notice, or that none needs to. */
export interface Survivor {
  readonly file: string
  /** The line of the source, without its indent. */
  readonly code: string
  readonly change: string
  readonly reason: string
}

export const survivors: readonly Survivor[] = [
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'return false',
    change: 'return x → return',
    reason: 'Only the truth of the result is used, and `undefined` is as false.',
  },
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'if (args.length * 3 <= max) return undefined',
    change: '3 → 4',
    reason: 'A short cut: what it lets through is counted by the lines below, with the same result.',
  },
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'if (args.length * 3 <= max) return undefined',
    change: '<= → <',
    reason: 'A short cut: what it lets through is counted by the lines below, with the same result.',
  },
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'if (args.length * 3 <= max) return undefined',
    change: 'return x → return',
    reason: 'A short cut: what it lets through is counted by the lines below, with the same result.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "const [address = '', bits] = range.split('/')",
    change: "'' → 'other'",
    reason: 'For the compiler of types: the first part of a split is always there.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')",
    change: '0 → 1',
    reason: 'A short cut: a BlockList holds no text that is not an address.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')",
    change: '0 → -1',
    reason: 'A short cut: a BlockList holds no text that is not an address.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')",
    change: "'ipv6' → 'other'",
    reason: 'Node reads every other family as version 6.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: 'const anyTrusted = proxies.rules.length > 0',
    change: '> → >=',
    reason: 'A short cut: a list without ranges holds no address.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: 'const anyTrusted = proxies.rules.length > 0',
    change: '0 → -1',
    reason: 'A short cut: a list without ranges holds no address.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: 'if (peer === undefined) return undefined',
    change: 'return x → return',
    reason: 'A return without a value is undefined.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "const hops = (head.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))",
    change: "'' → 'other'",
    reason: 'Neither text is an address, so neither is a hop.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "const [head = '', tail] = address.split('::')",
    change: "'' → 'other'",
    reason: 'For the compiler of types: the first part of a split is always there.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: 'const gap = tail === undefined ? 0 : ALL_GROUPS - before.length - after.length',
    change: '0 → 1',
    reason:
      'An address without a gap has eight groups: one more is past its network, and there is none to take away.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: 'const gap = tail === undefined ? 0 : ALL_GROUPS - before.length - after.length',
    change: '0 → -1',
    reason:
      'An address without a gap has eight groups: one more is past its network, and there is none to take away.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]",
    change: '0 → 1',
    reason:
      'A gap of a valid address has at least one group; where there is no gap, one more is past its network.',
  },
  {
    file: 'packages/host/src/limiter/addresses.ts',
    code: "const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]",
    change: '0 → -1',
    reason:
      'A gap of a valid address has at least one group; where there is no gap, one more is past its network.',
  },
  {
    file: 'packages/host/src/limiter/buckets.ts',
    code: 'const ROUNDING_MS = 1e-6',
    change: '0.000001 → -0.999999',
    reason: 'A wait between that and 0 becomes `-0`, which every caller compares as 0.',
  },
  {
    file: 'packages/host/src/limiter/buckets.ts',
    code: 'known === undefined || known <= time ? time : Math.min(known, time + fillMs)',
    change: '<= → <',
    reason: 'Where the two are equal both branches are `time`.',
  },
  {
    file: 'packages/host/src/limiter/buckets.ts',
    code: 'const waitFor = (missingMs: number) => (missingMs > ROUNDING_MS ? Math.ceil(missingMs) : 0)',
    change: '> → >=',
    reason: 'The bound is below what a clock can tell: no time is exactly that.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'const signatureOf = (text: string) => text.slice(-43)',
    change: '=> x → => undefined',
    reason:
      'A key of the memory: the whole text is compared before its entry is used. Speed alone depends on it.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'const signatureOf = (text: string) => text.slice(-43)',
    change: '43 → 44',
    reason:
      'A key of the memory: the whole text is compared before its entry is used. Speed alone depends on it.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'const signatureOf = (text: string) => text.slice(-43)',
    change: '43 → 42',
    reason:
      'A key of the memory: the whole text is compared before its entry is used. Speed alone depends on it.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'verified[audience].delete(signatureOf(text))',
    change: 'statement → nothing',
    reason:
      'Frees memory earlier: an entry whose time is over is refused either way, and their number is bounded.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'clockTolerance: limits.TOKEN_SKEW_MS / 1_000,',
    change: '1000 → 1001',
    reason: 'Two milliseconds less of the skew; jose compares whole seconds.',
  },
  {
    file: 'packages/host/src/tokens/tokens.ts',
    code: 'if (error instanceof joseErrors.JOSEError) return null',
    change: 'return x → return',
    reason: 'The only caller asks whether there is anything.',
  },
]
