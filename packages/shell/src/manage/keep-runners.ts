import type { DeskParts } from '../state/parts.ts'
import { change, doing } from './work.ts'

/** The names under which the tab of runners has things done. */
export const runnerWork = {
  enrol: 'enrol',
  revoke: (runnerId: string) => `revoke ${runnerId}`,
} as const

/** What can be done with the user's machines. */
export interface RunnerKeeper {
  typeName(name: string): void
  /** Enrols a machine by the name that is typed; its token is shown until it is put away. */
  enrol(): Promise<boolean>
  putTokenAway(): void
  revoke(runnerId: string): Promise<boolean>
}

/** Makes the keeper. `read`: has the list read again. */
export function runnerKeeper(parts: DeskParts, read: () => void): RunnerKeeper {
  const api = parts.api.manage
  async function thenRead(work: Promise<boolean>): Promise<boolean> {
    const done = await work
    if (done) read()
    return done
  }
  return {
    typeName: (runnerName) => change(parts, () => ({ runnerName })),
    enrol: () =>
      thenRead(
        doing(parts, runnerWork.enrol, async () => {
          const name = parts.store.get().manage.runnerName.trim()
          const { token } = await api.enrol(name)
          return {
            change: () => ({ enrolled: { name, token }, runnerName: '' }),
            said: `${name} was enrolled; its token is shown once`,
          }
        }),
      ),
    putTokenAway: () => change(parts, () => ({ enrolled: null })),
    revoke: (runnerId) =>
      thenRead(
        doing(parts, runnerWork.revoke(runnerId), async () => {
          const { list } = parts.store.get().manage.runners
          const name = list.find(({ runner_id }) => runner_id === runnerId)?.name ?? runnerId
          await api.revoke(runnerId)
          return {
            change: ({ runners }) => ({
              runners: { ...runners, list: runners.list.filter(({ runner_id }) => runner_id !== runnerId) },
            }),
            said: `${name} was revoked`,
          }
        }),
      ),
  }
}
