import type { Socket } from 'node:net'
import { refuse } from '@svc/contract'
import type { BodyOf, routes } from '@svc/contract/routes'
import type { Runner } from '@svc/runner'
import { LINK_CLOSE } from '@svc/runner/link'
import { REMOVE, update } from '@svc/state'
import type { WebSocket } from 'ws'
import type { Owner } from '../kernel/hosts.ts'
import { acceptsToken, type Bearer, type ConnectingMachine } from './admit.ts'
import { openElsewhere } from './elsewhere.ts'
import { openLinkEnds } from './link-ends.ts'
import { openLinks } from './links.ts'
import { openRelay, type Relay } from './relay.ts'
import { hashOf, type RunnerRow, runners as rows } from './runner-row.ts'
import { openRelayedAsks, serveRelayed } from './serve-relayed.ts'
import type { RunnerNeeds } from './services.ts'
import { showRunners } from './show-runners.ts'
import { type TakenLink, takeLink } from './take-link.ts'

/** A runner that is online: that of this process, or the link of an enrolled machine to this host or another. */
export interface RunnerLink {
  /** `rnr_…`, or `builtin` for the runner of this process. */
  readonly id: string
  /** Grows with each connection of the same machine: messages of an older link are ignored. */
  readonly epoch: number
  /** What it runs calls with. */
  readonly runner: Runner
  /** Unix ms: when it came online. */
  readonly since: number
  /** Whose machine it is; `null`: the runner of this process, which is everybody's. */
  readonly owner: string | null
  /** How many jobs its machine runs at once, where it says so: the host's own limit holds beside it. */
  readonly slots?: number
  /** Left out: this host has the link. Another has it, which runs the jobs of the machine. */
  readonly elsewhere?: {
    /** Notifies that host that jobs wait for the machine. */
    takeUp(): void
  }
}

/** A link that came or went; `userId` is `null` for the runner of this process. */
export interface LinkChange {
  /** Whose machine it is. */
  readonly userId: string | null
  /** The link. */
  readonly link: RunnerLink
  /** Whether it came, or went. */
  readonly isOnline: boolean
}

/** The id of the runner of this process. */
export const BUILTIN = 'builtin'

/** What an enrolment brings. */
type EnrolBody = BodyOf<(typeof routes)['runners.enrol']>

/** The message of one host to the others about a machine: a newer link of one, the end of one, or that it was revoked. */
interface RunnerNotice {
  readonly user_id: string
  readonly runner_id: string
  /** `null`: revoked. */
  readonly epoch: number | null
}
const TOPIC = 'runners'

/**
 * Opens the runners of a host. That of this process runs what users publish in the harness alone; elsewhere
 * it runs on the machines that they enrolled.
 */
export function openRunners(services: RunnerNeeds) {
  const { bus, clock, hosts, limits, log, newId, runner, settings, store, users } = services
  const builtin: RunnerLink | null = runner && {
    id: BUILTIN,
    epoch: 1,
    runner,
    since: clock.now(),
    owner: null,
  }
  const everybodys = builtin && settings.harness ? [builtin] : []
  const links = openLinks((err) => log.error({ err }, 'what listens to runners failed'))
  const taken = new Set<TakenLink>()
  let isClosing = false
  const asks = openRelayedAsks()
  const relay: Relay = openRelay(services, (request, text, context) =>
    serveRelayed({ ...services, links, asks, relay: () => relay }, request, text, context),
  )
  const elsewhere = openElsewhere({
    ...services,
    links,
    relay,
    asks,
    onChange: links.notify,
    displace: (runnerId, epoch) => displace(runnerId, epoch),
  })
  /** The epoch of this host under which the store has it as the holder of its links. */
  let heldUnder: number | null = null

  const announce = (news: RunnerNotice) =>
    bus.publish(TOPIC, JSON.stringify(news)).catch((err: unknown) => {
      if (!isClosing) log.warn({ err }, 'the other hosts could not be notified of a runner')
    })
  const ends = openLinkEnds(services, ({ userId: user_id, runnerId: runner_id, epoch }) =>
    announce({ user_id, runner_id, epoch }),
  )
  function displace(runnerId: string, epoch: number): void {
    const live = links.of(runnerId)
    if (live && live.link.epoch < epoch)
      live.end(LINK_CLOSE.displaced, 'the machine connected to another host')
  }
  function onNotice({ user_id, runner_id, epoch }: RunnerNotice): void {
    if (epoch === null) links.of(runner_id)?.end(LINK_CLOSE.revoked, 'the machine was revoked')
    else displace(runner_id, epoch)
    elsewhere.noticed(user_id)
  }
  users.onEnd(({ user_id, how }) => {
    if (how !== 'blocked') return
    for (const link of taken)
      if (link.userId === user_id) link.end(LINK_CLOSE.revoked, 'the user of the machine was blocked')
  })
  const listening = bus.subscribe(TOPIC, (text) => onNotice(JSON.parse(text)))
  listening.catch((err: unknown) =>
    log.warn({ err }, 'the events of other hosts about runners cannot be received'),
  )

  /** This host, whose links others may use from here on. */
  async function me(): Promise<Owner> {
    const owner = await relay.me()
    heldUnder = owner.epoch
    return owner
  }

  return {
    /** The runner of this process; `null`: it has none. */
    builtin,
    /** Enrols a machine; its token is shown this once. Errors: `quota_exceeded`. */
    async enrol(userId: string, { name }: EnrolBody) {
      const token = newId('runnerToken')
      const row: RunnerRow = {
        user_id: userId,
        name,
        token_hash: hashOf(token),
        next_token_hash: null,
        key: null,
        machine: null,
        epoch: 0,
        created_at: clock.now(),
        last_seen_at: null,
      }
      const max = limits.RUNNERS_PER_USER
      const inserted = await store.insert(rows, newId('runner'), row, {
        caps: [{ name: 'runners', index: 'byUser', eq: [userId], max }],
      })
      if (!inserted.ok && 'exists' in inserted) throw new Error('an id was drawn twice')
      if (!inserted.ok)
        throw refuse('quota_exceeded', `a user may enrol ${max} machines`, {
          hint: 'Revoke one that is not used.',
        })
      return { runner_id: inserted.record.id, token }
    },
    /** The user's machines, the oldest first. */
    list: (userId: string) => showRunners({ ...services, links, elsewhere, relay }, userId),
    /** Whether a machine is still one of the user's. */
    async isEnrolled(userId: string, runnerId: string): Promise<boolean> {
      return (await store.get(rows, runnerId))?.row.user_id === userId
    },
    /** Removes a machine: its link ends at once, and its token opens nothing any more. Errors: `not_found`. */
    async revoke(userId: string, runner_id: string) {
      await update(store, rows, runner_id, (row) => {
        if (row?.user_id !== userId)
          throw refuse('not_found', `there is no runner ${JSON.stringify(runner_id)} of this user`)
        return REMOVE
      })
      const news: RunnerNotice = { user_id: userId, runner_id, epoch: null }
      onNotice(news)
      await announce(news)
      await services.reconcile(userId, runner_id)
    },
    /**
     * The runners that may run what this user may use, as far as this host knows: those of this host first, those that
     * came first first.
     */
    online(userId: string): readonly RunnerLink[] {
      const there = elsewhere.ofUser(userId).filter(({ id }) => !links.of(id))
      const own = there.length === 0 ? links.ofUser(userId) : [...links.ofUser(userId), ...there]
      return everybodys.length === 0 ? own : [...everybodys, ...own]
    },
    /** Learns which machines of a user other hosts have; what is known is `CACHE_STALE_MS` old at most. */
    refresh: elsewhere.refresh,
    /** Calls a listener for each link that comes or goes. Returns how to unsubscribe. */
    onChange: links.onChange,
    /** What the HTTP side needs to let machines in. */
    front: {
      /** The machine that shows a token, its last or its next; `null` where none does, or its user is gone. */
      async bearerOf(token: string): Promise<Bearer | null> {
        const tokenHash = hashOf(token)
        for (const index of ['byToken', 'byNextToken'] as const) {
          const [record] = (await store.scan(rows, index, { eq: [tokenHash], limit: 1 })).rows
          if (!record || !acceptsToken(record.row, tokenHash)) continue
          const { user_id: userId } = record.row
          return (await users.active(userId)) ? { runnerId: record.id, userId, tokenHash } : null
        }
        return null
      },
      /** Takes an open WebSocket for that machine. */
      take(socket: WebSocket, connection: Socket, arriving: ConnectingMachine) {
        const { userId: user_id } = arriving.bearer
        const tell = (runner_id: string, epoch: number) => announce({ user_id, runner_id, epoch })
        const parts = { ...services, links, me, announce: tell, noteOver: ends.note }
        const link = takeLink(parts, socket, connection, arriving)
        taken.add(link)
        void link.gone.then(() => taken.delete(link))
        if (isClosing) link.end(LINK_CLOSE.leaving, 'the host is closing')
      },
      /** Ends each link with the last call under way on it. */
      drain() {
        for (const link of taken) link.drain()
      },
    },
    /**
     * Ends what hosts that are gone had; where others took this host for dead, writes down once more what it has. The
     * sweeper calls it.
     */
    async sweep(): Promise<void> {
      if (taken.size > 0 && relay.isKnown() && (await hosts.me()).epoch !== heldUnder)
        await Promise.all([...taken].map((link) => link.check()))
      await ends.again()
      await elsewhere.sweep()
    },
    /** Ends every link; resolves when their connections are gone. Twice is harmless. */
    async close() {
      isClosing = true
      for (const link of taken) link.end(LINK_CLOSE.leaving, 'the host is closing')
      await Promise.all([...taken].map(({ gone }) => gone))
      elsewhere.close()
      await relay.close()
      const stop = await listening.catch(() => undefined)
      stop?.()
    },
  }
}

/** The machines of a host, with the front that they connect to. */
export type OpenRunners = ReturnType<typeof openRunners>

/** The machines that run what users publish. */
export type Runners = Omit<OpenRunners, 'front'>
