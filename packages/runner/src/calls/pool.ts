import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import type { CommandSpec } from '../port/runner.ts'
import { moveBack, openFairShare } from './fair-share.ts'
import { type Group, openGroups } from './groups.ts'
import type { Worker } from './worker.ts'

/** Why a wait for a process ended without one. */
export type AcquireFailure = 'late' | 'aborted' | 'closed'

/** A call that wants a process. */
export interface ProcessRequest {
  readonly userId: string
  readonly plugin: CommandSpec
  /** Unix ms; waiting ends there. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** A process in the hands of one call; it is given back by `release` or taken away by `drop`, once. */
export interface PooledProcess {
  readonly worker: Worker
  readonly group: Group
  /** Whether the process was started for this call. */
  readonly isFresh: boolean
}

interface Waiter {
  readonly group: Group
  readonly settle: (result: PooledProcess | AcquireFailure) => void
}

/**
 * Warm processes, one call a process at a time: `POOL_PER_PLUGIN` a user and plugin, `POOL_PER_RUNNER`
 * in all, `POOL_IDLE_MS` without use. Past that calls wait: a place goes to the user who holds the fewest, of several to
 * the one who waits longest since he had one, first come first served among his calls. The last `POOL_RESERVE` places are for users who hold none, so that nobody waits only
 * because one user has many calls under way.
 *
 * `open(group)` starts a process and never throws; `onForget(key)` hears that nothing is left of a user and
 * plugin.
 */
export function openPool(parts: {
  readonly clock: Clock
  readonly limits: Limits
  readonly open: (group: Pick<Group, 'plugin' | 'key' | 'userId'>) => Worker
  readonly onForget: (key: string) => void
}) {
  const { clock, limits } = parts
  const groups = openGroups(parts.onForget)
  const alive = new Set<Worker>()
  const waiters = new Set<Waiter>()
  const leaving = new Set<Promise<unknown>>()
  /** Places in the hands of calls, by user. */
  const holding = openFairShare(limits)
  let closed = false
  let stopSweep: (() => void) | undefined

  function start(group: Group): Worker {
    const worker = parts.open(group)
    alive.add(worker)
    group.alive++
    void worker.ended.then(() => {
      alive.delete(worker)
      group.alive--
      const at = group.idle.findIndex((one) => one.worker === worker)
      if (at !== -1) group.idle.splice(at, 1)
      serveWaiters()
      tidy(group)
    })
    return worker
  }

  const isFull = (group: Group) => group.busy + group.idle.length >= limits.POOL_PER_PLUGIN

  /** The last one used first, so that the others can grow old. */
  function take(group: Group): PooledProcess | undefined {
    if (!holding.mayTake(group.userId)) return undefined
    let worker: Worker | undefined
    for (let one = group.idle.pop(); one && !worker; one = worker ? undefined : group.idle.pop()) {
      if (one.worker.isUsable()) worker = one.worker
      else send(group, one.worker.kill())
    }
    const isFresh = !worker
    if (!worker && !isFull(group)) {
      if (alive.size < limits.POOL_PER_RUNNER) worker = start(group)
      else evict()
    }
    if (!worker) return undefined
    group.busy++
    holding.add(group.userId, 1)
    if (group.idle.length === 0 && group.uses > 0) clock.setTimer(() => keepSpare(group), 0)
    return { worker, group, isFresh }
  }

  /** Ends a process; until it is gone it still counts for the runner. */
  function send(group: Group, end: Promise<unknown>): void {
    leaving.add(end)
    void end.then(() => {
      leaving.delete(end)
      tidy(group)
    })
  }

  /** Makes room by ending the process that has been idle longest; its ending serves the waiters. */
  function evict(): void {
    if (leaving.size > waiters.size) return
    const idle = [...groups.all()].flatMap((group) => group.idle.slice(0, 1).map((one) => ({ group, one })))
    const oldest = idle.reduce((a, b) => (b.one.sinceMs < a.one.sinceMs ? b : a), idle[0] as (typeof idle)[0])
    if (!oldest) return
    oldest.group.idle.shift()
    send(oldest.group, oldest.one.worker.retire())
  }

  /** A plugin used more than once of late has one process more than it needs, so that a call beside this one is warm. */
  function keepSpare(group: Group): void {
    if (closed || !groups.has(group)) return
    if (group.idle.length > 0 || isFull(group) || alive.size >= limits.POOL_PER_RUNNER) return
    putIdle(group, start(group))
  }

  function putIdle(group: Group, worker: Worker): void {
    group.idle.push({ worker, sinceMs: clock.now() })
    sweepLater()
  }

  /** Forgets a group that nobody has used of late and of which nothing is left. */
  function tidy(group: Group): void {
    const unused = group.lastUseMs <= clock.now() - limits.POOL_IDLE_MS
    if (unused && group.alive + group.busy + group.waiting === 0) groups.forget(group)
  }

  function sweepLater(): void {
    stopSweep ??= clock.setTimer(sweep, limits.POOL_IDLE_MS)
  }

  function sweep(): void {
    stopSweep = undefined
    const old = clock.now() - limits.POOL_IDLE_MS
    let nextMs = Number.POSITIVE_INFINITY
    for (const group of groups.all()) {
      const spare = group.lastUseMs > old ? 1 : 0
      while (group.idle.length > spare && (group.idle[0]?.sinceMs ?? nextMs) <= old) {
        const one = group.idle.shift()
        if (one) send(group, one.worker.retire())
      }
      if (group.idle[0]) nextMs = Math.min(nextMs, Math.max(group.idle[0].sinceMs, group.lastUseMs))
      else if (group.lastUseMs > old) nextMs = Math.min(nextMs, group.lastUseMs)
      else tidy(group)
    }
    if (nextMs < Number.POSITIVE_INFINITY) {
      stopSweep = clock.setTimer(sweep, Math.max(1, nextMs + limits.POOL_IDLE_MS - clock.now()))
    }
  }

  function serveWaiters(): void {
    const blocked = new Set<Group>()
    const next = () =>
      holding.next(
        waiters,
        ({ group }) => group.userId,
        ({ group }) => !blocked.has(group),
      )
    for (let waiter = next(); waiter; waiter = next()) {
      const place = take(waiter.group)
      if (!place) blocked.add(waiter.group)
      else {
        waiter.settle(place)
        moveBack(waiters, ({ group }) => group.userId === waiter.group.userId)
      }
    }
  }

  function wait(group: Group, wish: ProcessRequest): Promise<PooledProcess | AcquireFailure> {
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

  return {
    /** A process for a call. One that is free is taken before this returns, so that no two calls see it free. */
    async acquire(wish: ProcessRequest): Promise<PooledProcess | AcquireFailure> {
      if (closed) return 'closed'
      if (wish.signal?.aborted) return 'aborted'
      if (clock.now() >= wish.deadlineMs) return 'late'
      const group = groups.of(wish.userId, wish.plugin)
      const place = group.waiting === 0 ? take(group) : undefined
      return place ?? (await wait(group, wish))
    },
    /** The call is over: the process is kept warm, or killed if its next answer could be in doubt. */
    release({ worker, group }: PooledProcess): void {
      group.busy--
      holding.add(group.userId, -1)
      group.lastUseMs = clock.now()
      group.uses++
      if (!closed && worker.isUsable()) putIdle(group, worker)
      else {
        send(group, worker.kill())
        if (!closed) sweepLater()
      }
      if (waiters.size > 0) serveWaiters()
    },
    /** The call is over and its process is on its way out (`end`): it no longer counts for its plugin. */
    drop({ group }: PooledProcess, end: Promise<unknown>): void {
      group.busy--
      holding.add(group.userId, -1)
      send(group, end)
      if (waiters.size > 0) serveWaiters()
    },
    get isClosed(): boolean {
      return closed
    },
    /** Resolves when the processes that are on their way out are gone. */
    async departed(): Promise<void> {
      await Promise.all(leaving)
    },
    stats: () => ({
      processes: alive.size,
      busy: [...groups.all()].reduce((sum, group) => sum + group.busy, 0),
      waiting: waiters.size,
    }),
    /** Kills every process; those who wait get `closed`. */
    async close(): Promise<void> {
      closed = true
      stopSweep?.()
      for (const waiter of waiters) waiter.settle('closed')
      await Promise.all([...alive].map((worker) => worker.kill()))
    },
  }
}

/** See `openPool`. */
export type Pool = ReturnType<typeof openPool>
