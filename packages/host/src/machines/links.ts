import type { LinkChange, RunnerLink } from './runners.ts'

/** The link of an enrolled machine, as its host holds it. */
export interface LiveLink {
  readonly link: RunnerLink
  readonly userId: string
  /** Calls, or jobs, that wait for their outcome. */
  count(kind: 'call' | 'job'): number
  /** Whether its host closes: what is under way may end, and nothing begins. */
  isLeaving(): boolean
  /** Ends it at once: everything of it fails `agent_unavailable`. Twice is harmless. */
  end(code: number, reason: string): void
}

/** Opens the links of machines. */
export function openLinks(onFault: (error: unknown) => void) {
  const byId = new Map<string, LiveLink>()
  const byUser = new Map<string, readonly RunnerLink[]>()
  const listeners = new Set<(change: LinkChange) => void>()

  function notify(change: LinkChange): void {
    for (const listener of listeners)
      try {
        listener(change)
      } catch (error) {
        onFault(error)
      }
  }
  function changed({ userId, link }: LiveLink, isOnline: boolean): void {
    const links = [...byId.values()].filter((one) => one.userId === userId).map((one) => one.link)
    byUser.set(userId, links)
    if (links.length === 0) byUser.delete(userId)
    notify({ userId, link, isOnline })
  }
  function drop(live: LiveLink): void {
    if (byId.get(live.link.id) !== live) return
    byId.delete(live.link.id)
    changed(live, false)
  }

  return {
    of: (runnerId: string) => byId.get(runnerId),
    ofUser: (userId: string) => byUser.get(userId) ?? [],
    /** Takes the place of the machine's link before it. `false`: that one is newer. `displace` ends the older. */
    put(live: LiveLink, displace: (older: LiveLink) => void) {
      const older = byId.get(live.link.id)
      if (older && older.link.epoch >= live.link.epoch) return false
      if (older) displace(older)
      byId.set(live.link.id, live)
      changed(live, true)
      return true
    },
    /** The link is over. One that was displaced is ignored. */
    drop,
    /** Notifies the listeners of a link, which may be at another host. */
    notify,
    onChange(listener: (change: LinkChange) => void) {
      listeners.add(listener)
      return (): void => void listeners.delete(listener)
    },
  }
}

/** The links of this host: one of a machine. */
export type Links = ReturnType<typeof openLinks>
