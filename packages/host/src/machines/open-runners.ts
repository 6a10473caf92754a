import { LINK_CLOSE } from '@svc/runner/link'
import { isoOf } from '../kernel/iso.ts'
import { bearerOf, enrol, enrolled, revoke } from './enrol.ts'
import { openLinks } from './links.ts'
import type { RunnerParts } from './parts.ts'
import type { RunnerRecord } from './runner-row.ts'
import { BUILTIN, type EnrolledRunner, type OpenRunners, type RunnerLink } from './runners.ts'
import { type TakenLink, takeLink } from './take-link.ts'

/** What hosts tell each other of machines: a newer link of one, or that it was revoked. */
interface News {
  readonly runner_id: string
  /** `null`: revoked. */
  readonly epoch: number | null
}
const TOPIC = 'runners'

/**
 * Opens the runners of a host. That of this process runs what users publish in the harness alone; elsewhere
 * it runs on the machines that they enrolled.
 */
export function openRunners(parts: RunnerParts): OpenRunners {
  const { bus, clock, limits, log, runner, settings } = parts
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

  const announce = (news: News) =>
    bus.publish(TOPIC, JSON.stringify(news)).catch((err: unknown) => {
      if (!isClosing) log.warn({ err }, 'the other hosts could not be told of a runner')
    })
  function hear({ runner_id, epoch }: News): void {
    const live = links.of(runner_id)
    if (live && epoch === null) live.end(LINK_CLOSE.revoked, 'the machine was revoked')
    else if (live && epoch !== null && live.link.epoch < epoch)
      live.end(LINK_CLOSE.displaced, 'the machine connected to another host')
  }
  parts.users.onEnd(({ user_id, how }) => {
    if (how !== 'blocked') return
    for (const link of taken)
      if (link.userId === user_id) link.end(LINK_CLOSE.revoked, 'the user of the machine was blocked')
  })
  const listening = bus.subscribe(TOPIC, (text) => hear(JSON.parse(text)))
  listening.catch((err: unknown) => log.warn({ err }, 'the other hosts are not heard of runners'))

  function shown({ id, row }: RunnerRecord): EnrolledRunner {
    const live = links.of(id)
    const { machine } = row
    const most = limits.JOBS_RUNNING_PER_RUNNER
    return {
      runner_id: id,
      name: row.name,
      state: live ? 'online' : 'offline',
      machine: machine && {
        platform: machine.platform,
        node: machine.node,
        installs: machine.installs,
        ...(machine.isolation && { isolation: machine.isolation }),
      },
      slots: {
        jobs: Math.min(machine?.slots?.jobs ?? most, most),
        jobs_running: live?.count('job') ?? 0,
        calls_busy: live?.count('call') ?? 0,
      },
      created_at: isoOf(row.created_at),
      last_seen_at: row.last_seen_at === null ? null : isoOf(row.last_seen_at),
    }
  }

  return {
    builtin,
    enrol: (userId, input) => enrol(parts, userId, input),
    list: async (userId) => (await enrolled(parts, userId)).map(shown),
    async revoke(userId, runnerId) {
      await revoke(parts, userId, runnerId)
      hear({ runner_id: runnerId, epoch: null })
      await announce({ runner_id: runnerId, epoch: null })
      await parts.reconcile(userId, runnerId)
    },
    online(userId) {
      const own = links.ofUser(userId)
      return everybodys.length === 0 ? own : [...everybodys, ...own]
    },
    onChange: links.onChange,
    front: {
      bearerOf: (token) => bearerOf(parts, token),
      take(socket, connection, arriving) {
        const link = takeLink(
          { ...parts, links, announce: (runner_id, epoch) => void announce({ runner_id, epoch }) },
          socket,
          connection,
          arriving,
        )
        taken.add(link)
        void link.gone.then(() => taken.delete(link))
        if (isClosing) link.end(LINK_CLOSE.leaving, 'the host is closing')
      },
      leave() {
        for (const link of taken) link.leave()
      },
    },
    async close() {
      isClosing = true
      for (const link of taken) link.end(LINK_CLOSE.leaving, 'the host is closing')
      await Promise.all([...taken].map(({ gone }) => gone))
      const stop = await listening.catch(() => undefined)
      stop?.()
    },
  }
}
