import { removedId, removedUsers } from '../access/users/sign-in.ts'
import type { CallScope } from '../access/users/under-way.ts'
import { deleteAppData } from '../apps/install.ts'
import { installId, installs } from '../catalog/records.ts'
import type { WorkServices } from '../work/services.ts'
import { eraseData } from './user-data.ts'

/** Whose data is deleted: that of a user, or what he has in one app. */
type DeletionScope = Omit<CallScope, 'windowUuid'>

const TOPIC = 'late_writes'

/** Opens the late writes of a host, whose other layers are read at the time of a call. */
export function openLateWrites(services: WorkServices) {
  const { bus, clock, limits, log, store, underWay } = services
  /** What this host publishes to the others at this moment, and receives itself too. */
  const telling = new Set<string>()
  /** Users of whom something took longer: an erase that continues does not wait for it again at each install. */
  const late = new Set<string>()
  const deletions = new Set<Promise<unknown>>()
  const listening = bus.subscribe(TOPIC, (text) => {
    if (telling.has(text)) return
    const leaving: DeletionScope = JSON.parse(text)
    underWay.cut(leaving)
    deleteAfter(leaving, underWay.over(leaving))
  })
  listening.catch((err: unknown) =>
    log.warn({ err }, 'the events of other hosts about deletions cannot be received'),
  )

  function deleteAfter(leaving: DeletionScope, over: Promise<void> | null): void {
    if (!over) return
    late.add(leaving.userId)
    const deletion = over
      .then(() => late.delete(leaving.userId))
      .then(() => deleteAgain(leaving))
      .catch((err: unknown) =>
        log.error({ err }, 'records that were written during a deletion were not deleted'),
      )
      .finally(() => deletions.delete(deletion))
    deletions.add(deletion)
  }

  /** Nothing where the user was let in again, or has the app again: it may be what he made since. */
  async function deleteAgain({ userId, appId }: DeletionScope): Promise<void> {
    if (appId === undefined) {
      if (await store.get(removedUsers, removedId(userId))) await eraseData(services, userId)
    } else if (!(await store.get(installs, installId(userId, appId))))
      await deleteAppData(services, userId, appId)
  }

  return {
    /**
     * Ends what is under way of a user, or of an app of his, and waits for it: `SHUTDOWN_MS` at most. Who calls this
     * deletes then. What takes longer, here or at another host, is deleted again when it has ended.
     */
    async settle(leaving: DeletionScope) {
      const text = JSON.stringify(leaving)
      telling.add(text)
      underWay.cut(leaving)
      const over = underWay.over(leaving)
      await bus.publish(TOPIC, text).catch((err: unknown) => {
        log.error({ err }, 'the other hosts could not be notified of a deletion')
      })
      if (over && (late.has(leaving.userId) || !(await inTime(over)))) deleteAfter(leaving, over)
      telling.delete(text)
    },
    /** Stops listening to other hosts, and finishes what is to be deleted again, for `SHUTDOWN_MS` at most. */
    async close() {
      const stop = await listening.catch(() => undefined)
      stop?.()
      if (deletions.size > 0) await inTime(Promise.allSettled(deletions))
    },
  }

  /** Whether it resolves within `SHUTDOWN_MS`. */
  function inTime(over: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = clock.setTimer(() => resolve(false), limits.SHUTDOWN_MS)
      void over.then(() => {
        stop()
        resolve(true)
      })
    })
  }
}

/** Deletes again what calls that were admitted before a deletion wrote after it. */
export type LateWrites = ReturnType<typeof openLateWrites>
