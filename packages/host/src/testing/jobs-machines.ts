import { refuse } from '@svc/contract'
import type { LinkChange, RunnerLink, Runners } from '../machines/runners.ts'
import { type TestRunner, testRunner } from './jobs-runner.ts'

/** A machine's link to one host, whose runner does what the test says; lost, it answers nothing by itself. */
export interface TestLink extends RunnerLink {
  readonly runner: TestRunner
}

/** The links of one host as a test makes and cuts them. */
export interface HostLinks extends Runners {
  /** Every link that ever was, the oldest first. */
  readonly made: TestLink[]
  /** Its own links, without those of other hosts. */
  held(): readonly TestLink[]
  /** What this host does when another one says that jobs wait for a machine; a test of several hosts sets it. */
  onTakeUp: (userId: string, runnerId: string) => void
  /** Connects ada's machine, under a higher epoch; the link that it had to this host gives way. */
  connect(runnerId: string, slots?: number): TestLink
  /** The link is lost; one that is not there is ignored. */
  cut(runnerId: string): void
}

/** Enrolled machines that may connect to any of several hosts. */
export interface Machines {
  /** Their links to one host, whose own runner is `builtin`. */
  linksOf(builtin: RunnerLink | null): HostLinks
  /** Removes a machine and cuts its links; whoever takes it away tells the jobs of it. */
  revoke(runnerId: string): void
  isRevoked(runnerId: string): boolean
}

/** A host and how its listeners hear of links. */
interface Listening {
  readonly host: HostLinks
  tell(link: RunnerLink, isOnline: boolean): void
}

/** Machines of ada's: any id that was not revoked. Every third time that a host is told of waiting jobs is lost. */
export function openMachines(): Machines {
  const hosts: Listening[] = []
  /** By link, what it is for the other hosts. */
  const relayed = new Map<TestLink, RunnerLink>()
  let told = 0
  const enrolled = new Set<string>()
  const revoked = new Set<string>()
  let epoch = 0

  function relay(host: HostLinks, link: TestLink): RunnerLink {
    const takeUp = () => {
      told += 1
      if (told % 3 !== 0) host.onTakeUp('ada', link.id)
    }
    return { ...link, runner: testRunner(), elsewhere: { takeUp } }
  }

  function linksOf(builtin: RunnerLink | null): HostLinks {
    const online = new Map<string, TestLink>()
    const listeners = new Set<(change: LinkChange) => void>()
    const tell = (link: RunnerLink, isOnline: boolean) => {
      for (const listener of listeners) listener({ userId: 'ada', link, isOnline })
    }
    const tellOthers = (link: TestLink, isOnline: boolean) => {
      const there = relayed.get(link)
      for (const other of hosts) if (there && other.host !== host) other.tell(there, isOnline)
    }
    /** The newest link that another host has of each machine that has none to this one. */
    const elsewhere = () => {
      const newest = new Map<string, TestLink>()
      for (const other of hosts)
        for (const link of other.host === host ? [] : other.host.held())
          if ((newest.get(link.id)?.epoch ?? 0) < link.epoch) newest.set(link.id, link)
      return [...newest.values()].flatMap((link) => (online.has(link.id) ? [] : (relayed.get(link) ?? [])))
    }
    const host: HostLinks = {
      builtin,
      made: [],
      held: () => [...online.values()],
      onTakeUp() {},
      connect(id, slots) {
        epoch += 1
        const link = {
          id,
          epoch,
          runner: testRunner(),
          since: epoch,
          owner: 'ada',
          ...(slots !== undefined && { slots }),
        }
        enrolled.add(id)
        host.cut(id)
        online.set(id, link)
        relayed.set(link, relay(host, link))
        host.made.push(link)
        tell(link, true)
        tellOthers(link, true)
        return link
      },
      cut(id) {
        const link = online.get(id)
        online.delete(id)
        if (link) tell(link, false)
        if (link) tellOthers(link, false)
      },
      enrol: () => Promise.reject(refuse('not_implemented')),
      revoke: () => Promise.reject(refuse('not_implemented')),
      list: async () => [],
      isEnrolled: async (_userId, id) => enrolled.has(id) && !revoked.has(id),
      refresh: async () => {},
      sweep: async () => {},
      online: () => [...online.values(), ...elsewhere()],
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      async close() {},
    }
    hosts.push({ host, tell })
    return host
  }

  return {
    linksOf,
    revoke(id) {
      revoked.add(id)
      for (const { host } of hosts) host.cut(id)
    },
    isRevoked: (id) => revoked.has(id),
  }
}
