import { host } from './survivors/host.ts'
import { limiter } from './survivors/limiter.ts'
import { others } from './survivors/others.ts'
import { runner } from './survivors/runner.ts'
import type { Unnoticed } from './survivors/unnoticed.ts'

/** A change that no test can notice, or that none needs to. */
export interface Survivor extends Omit<Unnoticed, 'changes'> {
  readonly change: string
}

export const survivors: readonly Survivor[] = [...host, ...limiter, ...others, ...runner].flatMap(
  ({ changes, ...line }) => changes.map((change) => ({ ...line, change })),
)
