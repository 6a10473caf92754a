import type { Unnoticed } from './unnoticed.ts'

export const host: readonly Unnoticed[] = [
  {
    file: 'packages/host/src/apps/agree.ts',
    code: 'if (!isDeployable(content)) return null',
    changes: ['return x → return'],
    reason: 'The callers ask whether there is anything.',
  },
  {
    file: 'packages/host/src/models/quotas/quotas.ts',
    code: "const cost = error instanceof ModelFailure ? error.cost : 'unknown'",
    changes: ["'unknown' → 'other'"],
    reason: 'Only the two other words are asked for.',
  },
  {
    file: 'packages/host/src/models/quotas/quota-row.ts',
    code: "name: 'quotas',",
    changes: ["'quotas' → 'other'"],
    reason: 'Any name does that no other collection has.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'const signatureOf = (text: string) => text.slice(-43)',
    changes: ['43 → 44', '43 → 42'],
    reason:
      'A key of the memory: the whole text is compared before its entry is used. Speed alone depends on it.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'verified[audience].delete(signatureOf(text))',
    changes: ['statement → nothing'],
    reason:
      'Frees memory earlier: an entry whose time is over is refused either way, and their number is bounded.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'clockTolerance: limits.TOKEN_SKEW_MS / 1_000,',
    changes: ['1000 → 1001'],
    reason: 'Two milliseconds less of the skew; jose compares whole seconds.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'if (error instanceof joseErrors.JOSEError) return null',
    changes: ['return x → return'],
    reason: 'The only caller asks whether there is anything.',
  },
  {
    file: 'packages/host/src/user-data/user-data.ts',
    code: 'const PAGE = 100',
    changes: ['100 → 101', '100 → 99'],
    reason: 'How much is read at once; the pages together are the same.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: "throw new Error('the store refused a user without naming a cap')",
    changes: ['statement → nothing'],
    reason: 'Users have no cap, so that an insert is refused for nothing else.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: "const TOPIC = 'users'",
    changes: ["'users' → 'other'"],
    reason: 'Any name does that nothing else on the bus has.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: 'if (!(error instanceof BlockedRefusal)) throw error',
    changes: ['statement → nothing'],
    reason: 'What else can fail is the store, which the next line asks again.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: 'signed_out_at: Math.max(now, (row.signed_out_at ?? 0) + 1),',
    changes: ['0 → 1', '0 → -1'],
    reason: 'No clock of a host is that near to 1970.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: 'const stop = await listening.catch(() => undefined)',
    changes: ['=> x → => undefined'],
    reason: 'The value is undefined.',
  },
  {
    file: 'packages/host/src/access/users/users.ts',
    code: 'copies.users.drop(id)',
    changes: ['statement → nothing'],
    reason:
      'Behind a removal: a copy that was read between says that the user is blocked, which refuses him too.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'return undefined',
    changes: ['return x → return'],
    reason: 'A return without a value is undefined.',
  },
  {
    file: 'packages/host/src/access/tokens/tokens.ts',
    code: 'return null',
    changes: ['return x → return'],
    reason: 'Of what was checked the callers ask whether there is anything.',
  },
]
