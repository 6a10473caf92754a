import { refuse } from '@svc/contract'
import type { House } from '../house.ts'
import { BUILTIN, type RunnerLink, type Runners } from './runners.ts'

/** What runners need of the house. */
export type RunnerParts = Pick<House, 'clock' | 'newId' | 'limits' | 'log' | 'store' | 'runner' | 'settings'>

/** Opens the runners of a host. That of this process runs what users publish in the harness alone (design §8). */
export function openRunners({ clock, runner, settings }: RunnerParts): Runners {
  const builtin: RunnerLink | null = runner && {
    ...{ id: BUILTIN, epoch: 1, runner, since: clock.now(), owner: null },
  }
  return {
    builtin,
    enrol: () => Promise.reject(refuse('not_implemented')),
    list: async () => [],
    revoke: () => Promise.reject(refuse('not_found')),
    online: () => (builtin && settings.harness ? [builtin] : []),
    onChange: () => () => {},
    async close() {},
  }
}
