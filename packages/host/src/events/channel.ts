import type { Limits } from '@svc/contract'
import { pause } from '@svc/node'
import type { Journals } from '@svc/state'
import type { Logger } from 'pino'
import { type Portion, portionOf } from './portion.ts'

/** Why a channel is over: its journal no longer goes on from where it was, or could not be followed. */
export type Over = 'lost' | 'failed'

/** A reader as its channel sees it. */
export interface Member {
  /** Offers what just came in. */
  offer(portion: Portion): void
  end(why: Over): void
}

/** One following of a journal, shared by all readers that it has here. */
export interface Channel {
  readonly journal: string
  /** The seq up to which its members were offered everything. */
  readonly position: number
  join(member: Member): void
  leave(member: Member): void
}

/** What a channel is made of. */
export interface ChannelOptions {
  readonly journals: Journals
  readonly name: string
  /** The seq behind which it begins. */
  readonly after: number
  readonly limits: Limits
  readonly log: Logger
  /** Called once, when its last member left or the journal could not be followed further. */
  readonly onOver: () => void
}

/** Opens a channel; it lives from its first member to its last. */
export function openChannel(options: ChannelOptions): Channel {
  const { journals, name, after, limits, log, onOver } = options
  const members = new Set<Member>()
  const over = new AbortController()
  const limit = limits.EVENT_READ_MAX
  let position = after

  const finish = (why: Over) => {
    if (over.signal.aborted) return
    over.abort()
    onOver()
    for (const member of members) member.end(why)
  }
  /** A write costs more than an event: what follows at once is left to come together. */
  const gather = async () => {
    for (let turn = 0; turn < limits.EVENT_GATHER_TURNS && !over.signal.aborted; turn += 1) {
      await pause()
    }
  }
  const run = async () => {
    try {
      for await (const batch of journals.follow(name, position, { signal: over.signal, limit })) {
        if (batch.reset) return finish('lost')
        const portion = portionOf(position, batch.items)
        position = portion.until
        for (const member of members) member.offer(portion)
        if (batch.items.length < limit) await gather()
      }
    } catch (err) {
      log.warn({ err, journal: name }, 'a journal could not be followed')
    }
    finish('failed')
  }
  void run()

  return {
    journal: name,
    get position() {
      return position
    },
    join: (member) => void members.add(member),
    leave(member) {
      members.delete(member)
      if (members.size === 0) finish('failed')
    },
  }
}
