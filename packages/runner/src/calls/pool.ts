import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import { moveBack, openFairShare } from './fair-share.ts'
import { type Group, NOBODY, openGroups, type SessionsOf, takeOut } from './groups.ts'
import type { AcquireFailure, PooledProcess, ProcessRequest } from './process-request.ts'
import { type Waiter, waitIn } from './waiters.ts'
import type { Worker } from './worker.ts'

/**
 * Warm processes, one call a process at a time: `POOL_PER_PLUGIN` a user, app and plugin, `POOL_PER_RUNNER` in all,
 * `POOL_IDLE_MS` without use. A session has one, as long as it lasts and nobody else needs the place.
 *
 * Past that calls wait: a place goes to the user who holds the fewest, of several to the one who waits longest since he had
 * one, first come first served among his calls. The last `POOL_RESERVE` places are for users who hold none, so that nobody
 * waits only because one user has many calls under way.
 *
 * `open(group)` starts a process and never throws; `onForget(cacheKey)` hears that nothing is left of a user, app and
 * plugin, and `onGiveWay(group)` that a process ends which a session was to keep.
 */
export function openPool(parts: {
  readonly clock: Clock
  readonly limits: Limits
  readonly open: (group: Pick<Group, 'plugin' | 'cacheKey' | 'userId'>) => Worker
  readonly onForget: (cacheKey: string) => void
  readonly onGiveWay?: (group: Group) => void
}) {
  const { clock, limits } = parts
  const groups = openGroups(parts.onForget)
  /** Each process that lives, and whose it is. */
  const alive = new Map<Worker, Group>()
  const waiters = new Set<Waiter>()
  const leaving = new Set<Promise<unknown>>()
  /** Places in the hands of calls, by user. */
  const holding = openFairShare(limits)
  let closed = false
  let stopSweep: (() => void) | undefined

  function start(group: Group): Worker {
    const worker = parts.open(group)
    alive.set(worker, group)
    group.alive++
    void worker.ended.then(() => {
      const home = alive.get(worker) ?? group
      alive.delete(worker)
      home.alive--
      takeOut(home, worker)
      serveWaiters()
      tidy(home)
    })
    return worker
  }

  /** A process that was only asked what it is serves whoever calls first. */
  function adopt(group: Group): Worker | undefined {
    const { plugin, userId } = group
    const nobodys = userId === NOBODY ? undefined : groups.nobodys(plugin)
    const worker = nobodys?.idle.pop()?.worker
    if (!nobodys || !worker) return undefined
    if (!worker.isUsable()) return void send(nobodys, worker.kill())
    nobodys.alive--
    group.alive++
    alive.set(worker, group)
    worker.assign(userId)
    return worker
  }

  /** The next process of a session begins when the one before is gone: it may need the same files. */
  const isFull = ({ alive, busy, idle, session }: Group) =>
    session === undefined ? busy + idle.length >= limits.POOL_PER_PLUGIN : alive > 0

  /** The last one used first, so that the others can grow old. */
  function take(group: Group): PooledProcess | undefined {
    if (!holding.mayTake(group.userId)) return undefined
    let worker: Worker | undefined
    for (let one = group.idle.pop(); one && !worker; one = worker ? undefined : group.idle.pop()) {
      if (one.worker.isUsable()) worker = one.worker
      else send(group, one.worker.kill())
    }
    let isFresh = false
    if (!worker && !isFull(group) && mayKeep(group)) {
      worker = adopt(group)
      if (!worker && alive.size < limits.POOL_PER_RUNNER) {
        isFresh = true
        worker = start(group)
      } else if (!worker) evict()
    }
    if (!worker) return undefined
    group.busy++
    holding.add(group.userId, 1)
    if (group.session === undefined && group.idle.length === 0 && group.uses > 0)
      clock.setTimer(() => keepSpare(group), 0)
    return { worker, group, isFresh }
  }

  /** Whether a user may have the process of one more session; one that he has not used for longest gives way to it. */
  function mayKeep(group: Group): boolean {
    if (group.session === undefined) return true
    const { isFull, oldest } = groups.oldestOfSessions(group, limits.POOL_SESSIONS_PER_USER)
    if (oldest) giveWay(oldest.group)
    return !isFull || oldest !== undefined
  }

  function giveWay(group: Group): void {
    const one = group.idle.shift()
    if (one) send(group, one.worker.retire())
    if (group.session !== undefined) parts.onGiveWay?.(group)
  }

  /** Ends a process; until it is gone it still counts for the runner. */
  function send(group: Group, end: Promise<unknown>): void {
    leaving.add(end)
    void end.then(() => {
      leaving.delete(end)
      tidy(group)
    })
  }

  /** Makes room by ending an idle process; its ending serves the waiters. */
  function evict(): void {
    if (leaving.size > waiters.size) return
    const oldest = groups.oldestIdle()
    if (oldest) giveWay(oldest.group)
  }

  /** A plugin used more than once of late has one process more than it needs, so that a call beside this one is warm. */
  function keepSpare(group: Group): void {
    if (closed || !groups.has(group)) return
    if (group.idle.length > 0 || isFull(group) || alive.size >= limits.POOL_PER_RUNNER) return
    putIdle(group, start(group))
  }

  function putIdle(group: Group, worker: Worker): void {
    group.idle.push({ worker, sinceMs: clock.now() })
    if (group.session === undefined) sweepLater()
  }

  /** Forgets a group that nobody has used of late and of which nothing is left. */
  function tidy(group: Group): void {
    const isKept = group.session === undefined && group.lastUseMs > clock.now() - limits.POOL_IDLE_MS
    if (!isKept && group.alive + group.busy + group.waiting === 0) groups.forget(group)
  }

  function sweepLater(): void {
    stopSweep ??= clock.setTimer(sweep, limits.POOL_IDLE_MS)
  }

  function sweep(): void {
    stopSweep = undefined
    const old = clock.now() - limits.POOL_IDLE_MS
    let nextMs = Number.POSITIVE_INFINITY
    for (const group of groups.all()) {
      if (group.session !== undefined) continue
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

  return {
    /** A process for a call. One that is free is taken before this returns, so that no two calls see it free. */
    async acquire(wish: ProcessRequest): Promise<PooledProcess | AcquireFailure> {
      if (closed) return 'closed'
      if (wish.signal?.aborted) return 'aborted'
      if (clock.now() >= wish.deadlineMs) return 'late'
      const group = groups.of(wish)
      const place = group.waiting === 0 ? take(group) : undefined
      return place ?? (await waitIn(waiters, group, wish, clock))
    },
    /** The call is over: the process is kept warm, or killed if its next answer could be in doubt. */
    release({ worker, group }: PooledProcess, isNoUse = false): void {
      group.busy--
      holding.add(group.userId, -1)
      group.lastUseMs = clock.now()
      if (!isNoUse) group.uses++
      if (!closed && !group.isOver && worker.isUsable()) putIdle(group, worker)
      else {
        send(group, group.isOver ? worker.retire() : worker.kill())
        if (!closed && group.session === undefined) sweepLater()
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
    /** The process itself, where it waits for its next call. */
    claim(worker: Worker): PooledProcess | undefined {
      const group = alive.get(worker)
      if (!group || !worker.isUsable() || !takeOut(group, worker)) return undefined
      group.busy++
      holding.add(group.userId, 1)
      return { worker, group, isFresh: true }
    },
    /** Whose a process is that lives. */
    homeOf: (worker: Worker): Group | undefined => alive.get(worker),
    /** Sessions have ended: their processes end too, those that are busy after the call under way. */
    endSessions(which: SessionsOf): void {
      for (const group of groups.sessions(which)) {
        group.isOver = true
        for (const { worker } of group.idle.splice(0)) send(group, worker.retire())
        tidy(group)
      }
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
      await Promise.all([...alive.keys()].map((worker) => worker.kill()))
    },
  }
}

/** See `openPool`. */
export type Pool = ReturnType<typeof openPool>
