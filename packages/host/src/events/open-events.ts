import type { Bus } from '@svc/state'
import { type Events, userJournal } from './emit.ts'
import { followItem, itemOf } from './item.ts'
import { type Outbox, type OutboxDeps, openOutbox } from './outbox.ts'

/** Opens the sending of events over a bus. */
export function openEvents({ bus, ...deps }: Omit<OutboxDeps, 'journal'> & { readonly bus: Bus }): Events {
  const outboxes = new Map<string, Outbox>()
  let closed = false

  function outboxOf(userId: string): Outbox {
    const known = outboxes.get(userId)
    if (known) return known
    const outbox = openOutbox(userJournal(userId), { journal: bus.journal, ...deps })
    outboxes.set(userId, outbox)
    return outbox
  }

  return {
    emit(userId, type, windowUuid, payload) {
      if (!closed) outboxOf(userId).add(itemOf(type, windowUuid, payload))
    },
    follow(userId, windowUuid, streamId, after) {
      if (!closed) outboxOf(userId).add(followItem({ windowUuid, streamId, after }))
    },
    async forget(userId) {
      await outboxes.get(userId)?.flush()
      outboxes.delete(userId)
      await bus.journal.drop(userJournal(userId))
    },
    async flush() {
      await Promise.all([...outboxes.values()].map((outbox) => outbox.flush()))
    },
    async sweep() {
      const quiet = (outbox: Outbox) =>
        outbox.idle && deps.clock.now() - outbox.usedAt >= deps.limits.JOURNAL_KEPT_MS
      for (const [userId, outbox] of outboxes) {
        if (!quiet(outbox)) continue
        await outbox.age()
        if (quiet(outbox)) outboxes.delete(userId)
      }
    },
    async close() {
      closed = true
      await Promise.all([...outboxes.values()].map((outbox) => outbox.close()))
    },
  }
}
