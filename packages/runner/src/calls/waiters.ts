import type { Clock } from '@svc/node'
import type { Group } from './groups.ts'
import type { AcquireFailure, PooledProcess, ProcessRequest } from './process-request.ts'

/** A call that waits for a process. */
export interface Waiter {
  readonly group: Group
  readonly settle: (result: PooledProcess | AcquireFailure) => void
}

/** Puts a call into the line until it gets a process, its deadline comes or it is given up. */
export function waitIn(
  waiters: Set<Waiter>,
  group: Group,
  wish: ProcessRequest,
  clock: Clock,
): Promise<PooledProcess | AcquireFailure> {
  return new Promise((resolve) => {
    const onAbort = () => waiter.settle('aborted')
    const waiter: Waiter = {
      group,
      settle(result) {
        waiters.delete(waiter)
        group.waiting--
        stop()
        wish.signal?.removeEventListener('abort', onAbort)
        resolve(result)
      },
    }
    const stop = clock.setTimer(() => waiter.settle('late'), Math.max(0, wish.deadlineMs - clock.now()))
    wish.signal?.addEventListener('abort', onAbort)
    group.waiting++
    waiters.add(waiter)
  })
}
