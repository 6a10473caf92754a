import { setImmediate } from 'node:timers/promises'
import { type Isolation, type IsolationOption, isolate, isolateAhead } from './isolate.ts'
import { type Isolator, type IsolatorName, isolators } from './isolators.ts'
import { bestIsolator } from './probes.ts'

/** How the processes of a runner are kept together. */
export interface Keeper {
  readonly isolation: Isolation
  /** Of plugins behind walls, where the machine has them. */
  readonly isolator: Isolator
  /** Of plugins that run without walls, and of package managers that cannot be put behind them. */
  readonly toolIsolator: Isolator
}

/**
 * Asks the machine how the processes of a runner can be kept together. That takes programs which are run, so it begins at
 * once, but only who needs the answer waits for it.
 */
export function openKeeper(
  {
    isolation: asksFor,
    isolator: given,
  }: { readonly isolation?: IsolationOption; readonly isolator?: IsolatorName },
  probeMs: number,
) {
  let option = asksFor
  let keeper: Keeper | undefined
  // Whoever needs the answer asks again after a failure.
  const asked = setImmediate()
    .then(() => isolateAhead(option, probeMs))
    .catch(() => undefined)

  function now(): Keeper {
    keeper ??= find()
    return keeper
  }
  function find(): Keeper {
    const isolation = isolate(option, probeMs)
    const isolator = isolators[given ?? isolation.isolator]
    const toolIsolator = isolators[given && !isolator.walls ? given : bestIsolator(probeMs)]
    return { isolation, isolator, toolIsolator }
  }

  return {
    /** The answer; whoever calls this before `ready` waits with the whole thread. */
    now,
    isReady: () => keeper !== undefined,
    /** From now on it is as if walls had been required from the beginning. */
    requireWalls(): void {
      option = 'required'
      keeper = undefined
    },
    /** Resolves when the answer is there. */
    async ready(): Promise<void> {
      await asked
      now()
    },
    /** Resolves when no program is left that was asked. */
    async close(): Promise<void> {
      await asked
    },
  }
}
