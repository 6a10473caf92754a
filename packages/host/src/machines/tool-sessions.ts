import { type PluginSpec, type Runner, sessionScope } from '@svc/runner'
import type { UnderWay } from '../access/users/under-way.ts'

/** Whom a process of a plugin is kept for: a window, or a session of an agent. */
export interface ToolSession {
  readonly kind: 'window' | 'agent'
  readonly id: string
}

/** Whose calls may share a process. */
export interface CallPlace {
  readonly userId: string
  readonly appId: string
  /** `null`: the call belongs to neither. */
  readonly session: ToolSession | null
}

/** A session for which runners may keep processes. */
interface KeptSession {
  readonly userId: string
  readonly appId: string
  readonly session: ToolSession
  readonly runners: Set<Runner>
}

const keyOf = ({ kind, id }: ToolSession): string => `${kind} ${id}`

/** Reads what `keyOf` wrote; `null`: it did not. */
function sessionIn(key: string): ToolSession | null {
  const [kind, id] = key.split(' ')
  return (kind === 'window' || kind === 'agent') && id ? { kind, id } : null
}

/**
 * Opens the sessions for which runners keep processes of plugins (docs/decisions/0167-who-shares-a-process.md). They end
 * with their window, their agent session and the access of their user; `sweep` ends those that another host closed.
 */
export function openToolSessions({ underWay }: { readonly underWay: Pick<UnderWay, 'onCut'> }) {
  const kept = new Map<string, KeptSession>()

  function endKept(key: string, { userId, runners }: KeptSession): void {
    kept.delete(key)
    for (const runner of runners) runner.endSessions?.({ userId, session: key })
  }

  function endWhere(isMeant: (one: KeptSession) => boolean): void {
    for (const [key, one] of kept) if (isMeant(one)) endKept(key, one)
  }

  underWay.onCut(({ userId, appId, windowUuid }) =>
    endWhere(
      (one) =>
        one.userId === userId &&
        (appId === undefined || one.appId === appId) &&
        (windowUuid === undefined || (one.session.kind === 'window' && one.session.id === windowUuid)),
    ),
  )

  function note(runner: Runner, { userId, appId }: CallPlace, session: ToolSession): void {
    const key = keyOf(session)
    const before = kept.get(key)
    if (before) before.runners.add(runner)
    else kept.set(key, { userId, appId, session, runners: new Set([runner]) })
  }

  return {
    /** What a call names as its session, where its plugin keeps a process for that; noted until it ends. */
    keyFor(runner: Runner, plugin: PluginSpec, place: CallPlace): string | undefined {
      const { session } = place
      const scope = sessionScope(plugin)
      if (scope === 'call' || !session || (scope === 'agent' && session.kind === 'window')) return undefined
      note(runner, place, session)
      return keyOf(session)
    },
    /** Notes the session that a call of another host names. */
    noteRelayed(
      runner: Runner,
      call: { readonly userId: string; readonly appId: string },
      key: string,
    ): void {
      const session = sessionIn(key)
      if (session) note(runner, { ...call, session }, session)
    },
    /** The session is over: its processes end. Twice is harmless. */
    end(session: ToolSession): void {
      const one = kept.get(keyOf(session))
      if (one) endKept(keyOf(session), one)
    },
    /** Ends the processes that are kept of plugins, for one user or for all. */
    endPlugins(pluginIds: Iterable<string>, userId?: string): void {
      const runners = new Set([...kept.values()].flatMap((one) => [...one.runners]))
      for (const pluginId of pluginIds)
        for (const runner of runners) runner.endSessions?.({ userId, pluginId })
    },
    /** Ends those that `isOver` says are over. */
    async sweep(isOver: (session: ToolSession) => Promise<boolean>): Promise<void> {
      for (const [key, one] of [...kept])
        if ((await isOver(one.session)) && kept.get(key) === one) endKept(key, one)
    },
    /** Ends all of them. */
    close: () => endWhere(() => true),
  }
}

/** See `openToolSessions`. */
export type ToolSessions = ReturnType<typeof openToolSessions>
