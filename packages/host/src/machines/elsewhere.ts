import { isSameOwner, type Owner } from '../kernel/hosts.ts'
import type { Links } from './links.ts'
import type { Relay } from './relay.ts'
import { openRelayedRunner, type RelayedLink, type RelayedRunner } from './relayed-runner.ts'
import { type RunnerRecord, runners as rows } from './runner-row.ts'
import type { LinkChange, RunnerLink } from './runners.ts'
import type { RelayedAsks } from './serve-relayed.ts'
import type { RunnerNeeds } from './services.ts'

/** What following the machines of other hosts needs. */
export interface ElsewhereParts extends Pick<RunnerNeeds, 'clock' | 'hosts' | 'limits' | 'log' | 'store'> {
  readonly links: Links
  readonly relay: Relay
  readonly asks: RelayedAsks
  /** Is called with each relayed link that comes or goes. */
  readonly onChange: (change: LinkChange) => void
  /** A newer link of a machine is at another host: the one that this host has is over. */
  readonly displace: (runnerId: string, epoch: number) => void
}

/** A link of another host, as this one uses it. */
interface Held {
  readonly link: RunnerLink
  readonly holder: Owner
  readonly relayed: RelayedRunner
}

/** What this host knows of the machines of a user. */
interface Known {
  readonly userId: string
  /** By the id of the machine. */
  readonly held: Map<string, Held>
  /** The same as a list, made anew where it changed. */
  links: readonly RunnerLink[]
  reading: Promise<void> | null
  /** What is read after that. */
  next: Promise<void> | null
  /** When what was read last began to be read, in Unix ms. */
  readAt: number
  usedAt: number
}

const newlyKnown = (userId: string): Known => ({
  userId,
  held: new Map(),
  links: [],
  reading: null,
  next: null,
  readAt: -1,
  usedAt: -1,
})

const GONE = 'the link to the runner is lost'
const HOST_GONE = 'the link to the runner is lost: its host is gone'

/**
 * Opens the links that other hosts hold, as this host knows them: of the users who are looked for here, from the rows of
 * their machines. The epoch of a link says which is the newer, and the row of its host whether that lives.
 */
export function openElsewhere(parts: ElsewhereParts) {
  const { clock, hosts, limits, links, log, onChange, relay, store } = parts
  const known = new Map<string, Known>()

  /** Reads the machines of a user anew: what is being read already may be older than what is known of them. */
  function read(one: Known): Promise<void> {
    one.next ??= (one.reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        one.next = null
        one.reading = readNow(one).finally(() => {
          one.reading = null
        })
        return one.reading
      })
    return one.next
  }

  async function readNow(one: Known): Promise<void> {
    const { userId } = one
    const began = clock.now()
    const { rows: found } = await store.scan(rows, 'byUser', { eq: [userId], limit: limits.RUNNERS_PER_USER })
    const there = await Promise.all(
      found.map(async (record) => ((await isElsewhere(record)) ? record : null)),
    )
    if (known.get(userId) !== one) return
    one.readAt = began
    take(
      one,
      there.filter((record) => record !== null),
    )
  }

  const isElsewhere = async ({ row }: RunnerRecord): Promise<boolean> =>
    row.held_by != null && hosts.isLiving(row.held_by)

  function take(one: Known, there: readonly RunnerRecord[]): void {
    const { held, userId } = one
    const gone = new Map(held)
    const come: Held[] = []
    for (const record of there) {
      const { id, row } = record
      parts.displace(id, row.epoch)
      const before = held.get(id)
      const isIt =
        before?.link.epoch === row.epoch && isSameOwner(before.holder, row.held_by ?? before.holder)
      // What this host has now is newer than what was read.
      if (links.of(id)) continue
      if (isIt) gone.delete(id)
      else come.push(openLink(userId, record))
    }
    for (const [id, { relayed }] of gone) {
      held.delete(id)
      relayed.end(GONE)
    }
    for (const one of come) held.set(one.link.id, one)
    one.links = [...held.values()].map(({ link }) => link)
    // One that gave way to a newer link went with that: it is one change.
    for (const [id, { link }] of gone)
      if (!held.has(id) && !links.of(id)) onChange({ userId, link, isOnline: false })
    for (const { link } of come) onChange({ userId, link, isOnline: true })
  }

  function openLink(userId: string, { id, row }: RunnerRecord): Held {
    const holder = row.held_by as Owner // looked at before
    const { epoch, machine } = row
    const named: RelayedLink = { id, epoch, userId, holder }
    const relayed = openRelayedRunner({ ...parts, onGone: () => noticed(userId) }, named)
    const slots = machine?.slots && { slots: machine.slots.jobs }
    const elsewhere = { takeUp: () => takeUp(named) }
    const link = { id, epoch, runner: relayed.runner, since: clock.now(), owner: userId, ...slots, elsewhere }
    return { link, holder, relayed }
  }

  /** Lost, its host finds the jobs by itself (`JOB_TAKE_UP_MS`). */
  function takeUp({ id, userId, holder }: RelayedLink): void {
    const request = { do: 'take_up', user_id: userId, runner_id: id } as const
    const deadline = clock.now() + limits.JOB_TAKE_UP_MS
    relay.ask(holder.host_id, request, '', { deadline }).catch((err: unknown) => {
      log.debug({ err, runner: id, host: holder.host_id }, 'a host was not notified of a job for its runner')
    })
  }

  /** What is known of a user may be old. */
  function noticed(userId: string): void {
    const one = known.get(userId)
    if (one)
      read(one).catch((err: unknown) => log.warn({ err }, 'the runners of a user could not be read again'))
  }

  function forget(one: Known): void {
    known.delete(one.userId)
    for (const { link, relayed } of one.held.values()) {
      relayed.end(GONE)
      onChange({ userId: one.userId, link, isOnline: false })
    }
  }

  return {
    /** The links of a user that other hosts hold, as far as this host knows. */
    ofUser: (userId: string): readonly RunnerLink[] => known.get(userId)?.links ?? [],
    /** The hosts of these links, by the ids of their machines. */
    holdersOf: (userId: string): ReadonlyMap<string, { readonly holder: Owner }> =>
      known.get(userId)?.held ?? new Map(),
    /** Reads which there are, where that is not known or was read `CACHE_STALE_MS` ago. */
    async refresh(userId: string): Promise<void> {
      if (store.isExclusive) return
      const now = clock.now()
      const one = known.get(userId) ?? newlyKnown(userId)
      known.set(userId, one)
      one.usedAt = now
      const reading = one.next ?? one.reading
      if (reading) await reading
      else if (one.readAt < 0 || now - one.readAt >= limits.CACHE_STALE_MS) await read(one)
    },
    noticed,
    /** Ends the links of hosts that are gone, and forgets users whom nobody looked for any more. */
    async sweep(): Promise<void> {
      for (const one of [...known.values()]) {
        const isBusy = [...one.held.values()].some(({ relayed }) => relayed.isBusy())
        if (!isBusy && clock.now() - one.usedAt >= limits.RUNNERS_KNOWN_MS) forget(one)
        else await endDead(one)
      }
    },
    /** Ends what is under way on them. */
    close(): void {
      for (const one of known.values())
        for (const { relayed } of one.held.values()) relayed.end('the host is closing')
      known.clear()
    },
  }

  async function endDead(one: Known): Promise<void> {
    for (const { holder, relayed } of one.held.values()) {
      if (await hosts.isLiving(holder)) continue
      relayed.end(HOST_GONE)
      await read(one)
      return
    }
  }
}

/** The links that other hosts hold. */
export type Elsewhere = ReturnType<typeof openElsewhere>
