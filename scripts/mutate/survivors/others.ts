import type { Unnoticed } from './unnoticed.ts'

export const others: readonly Unnoticed[] = [
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'return false',
    changes: ['return x → return'],
    reason: 'Only the truth of the result is used, and `undefined` is as false.',
  },
  {
    file: 'packages/bridge/src/guard.ts',
    code: 'if (args.length * 3 <= max) return undefined',
    changes: ['3 → 4', '<= → <', 'return x → return'],
    reason: 'A short cut: what it lets through is counted by the lines below, with the same result.',
  },
]
