import type { Elsewhere } from './elsewhere.ts'
import type { Links } from './links.ts'
import type { Relay, UnderWay } from './relay.ts'
import { type RunnerRecord, runners as rows } from './runner-row.ts'
import type { RunnerNeeds } from './services.ts'

/** An enrolled machine as its user sees it. Times are ISO 8601. */
export interface EnrolledRunner {
  /** The id of the machine. */
  readonly runner_id: string
  /** The name that its user gave it. */
  readonly name: string
  /** Whether it is connected to a host. */
  readonly state: 'online' | 'offline'
  /** What it told of itself when it last connected; `null` before that. */
  readonly machine: {
    /** Its operating system and processor. */
    readonly platform: string
    /** The version of its Node. */
    readonly node: string
    /** The kinds of distribution that it can install. */
    readonly installs: readonly string[]
  } | null
  /** How many jobs it runs at once, how many run, and how many calls beside them. */
  readonly slots: {
    /** How many jobs it runs at once. */
    readonly jobs: number
    /** How many run. */
    readonly jobs_running: number
    /** How many calls are under way beside them. */
    readonly calls_busy: number
  }
  /** When it was enrolled. */
  readonly created_at: string
  /** When it was last connected; `null`: never. */
  readonly last_seen_at: string | null
}

/** What showing machines needs. */
interface ShowParts extends Pick<RunnerNeeds, 'clock' | 'limits' | 'log' | 'store'> {
  readonly links: Links
  readonly elsewhere: Elsewhere
  readonly relay: Relay
}

/** The machines of a user, the oldest first, whichever hosts have them. */
export async function showRunners(parts: ShowParts, userId: string): Promise<EnrolledRunner[]> {
  const { elsewhere, limits, links, store } = parts
  await elsewhere.refresh(userId)
  const enrolled = await store.scan(rows, 'byUser', { eq: [userId], limit: limits.RUNNERS_PER_USER })
  const holders = elsewhere.holdersOf(userId)
  const there = await underWayThere(parts, holders)
  return enrolled.rows.map((record) => {
    const live = links.of(record.id)
    const counts = live ? { jobs: live.count('job'), calls: live.count('call') } : there[record.id]
    const isOnline = live !== undefined || holders.has(record.id)
    return shown(record, isOnline, counts ?? { jobs: 0, calls: 0 }, limits.JOBS_RUNNING_PER_RUNNER)
  })
}

/** What is under way on machines of other hosts; of a host that does not answer within a beat it is not known. */
async function underWayThere(
  { clock, limits, log, relay }: ShowParts,
  holders: ReturnType<Elsewhere['holdersOf']>,
): Promise<UnderWay> {
  const byHost = Map.groupBy(holders, ([, { holder }]) => holder.host_id)
  const asked = [...byHost].map(async ([hostId, held]) => {
    const request = { do: 'count', runner_ids: held.map(([id]) => id) } as const
    const deadline = clock.now() + limits.HOST_BEAT_MS
    const [answer] = await relay.ask(hostId, request, '', { deadline })
    return answer.is === 'done' ? answer.under_way : undefined
  })
  const known = (await Promise.allSettled(asked)).map((one) => {
    if (one.status === 'fulfilled') return one.value
    log.debug({ err: one.reason }, 'a host did not tell what is under way on its runners')
    return undefined
  })
  return Object.assign({}, ...known)
}

function shown(
  { id, row }: RunnerRecord,
  isOnline: boolean,
  { jobs, calls }: UnderWay[string],
  most: number,
): EnrolledRunner {
  const { machine } = row
  return {
    runner_id: id,
    name: row.name,
    state: isOnline ? 'online' : 'offline',
    machine: machine && {
      platform: machine.platform,
      node: machine.node,
      installs: machine.installs,
      ...(machine.isolation && { isolation: machine.isolation }),
    },
    slots: {
      jobs: Math.min(machine?.slots?.jobs ?? most, most),
      jobs_running: jobs,
      calls_busy: calls,
    },
    created_at: new Date(row.created_at).toISOString(),
    last_seen_at: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
  }
}
