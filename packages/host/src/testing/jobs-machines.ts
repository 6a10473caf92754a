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

/** Machines of ada's: any id that was not revoked. */
export function openMachines(): Machines {
  const hosts: HostLinks[] = []
  const enrolled = new Set<string>()
  const revoked = new Set<string>()
  let epoch = 0

  function linksOf(builtin: RunnerLink | null): HostLinks {
    const online = new Map<string, TestLink>()
    const listeners = new Set<(change: LinkChange) => void>()
    const tell = (link: RunnerLink, isOnline: boolean) => {
      for (const listener of listeners) listener({ userId: 'ada', link, isOnline })
    }
    const host: HostLinks = {
      builtin,
      made: [],
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
        host.made.push(link)
        tell(link, true)
        return link
      },
      cut(id) {
        const link = online.get(id)
        online.delete(id)
        if (link) tell(link, false)
      },
      enrol: () => Promise.reject(refuse('not_implemented')),
      revoke: () => Promise.reject(refuse('not_implemented')),
      list: async () => [],
      isEnrolled: async (_userId, id) => enrolled.has(id) && !revoked.has(id),
      refresh: async () => {},
      sweep: async () => {},
      online: () => [...online.values()],
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      async close() {},
    }
    hosts.push(host)
    return host
  }

  return {
    linksOf,
    revoke(id) {
      revoked.add(id)
      for (const host of hosts) host.cut(id)
    },
    isRevoked: (id) => revoked.has(id),
  }
}
