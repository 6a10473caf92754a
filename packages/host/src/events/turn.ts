import { pause } from '@svc/node'

/** Does work at the end of a turn of the event loop. */
export type AtTurnEnd = (work: () => void) => void

/** Gathers the work of one turn behind one immediate: a host may have as many pages to write to as it has readers. */
export function openTurn(): AtTurnEnd {
  let waiting: (() => void)[] = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const work of all) work()
  }
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(run)
  }
}

/** Waits for a turn of the event loop that no other one has. */
export type OwnTurn = () => Promise<void>

/** Gives each who asks a turn of its own, in the order in which they ask. */
export function openOwnTurns(): OwnTurn {
  let last = Promise.resolve()
  return () => {
    last = last.then(pause)
    return last
  }
}
