import { BUILTIN, type RunnerLink } from '../../machines/runners.ts'
import type { WorkServices } from '../services.ts'

/** A runner by its id and its user's; the pair names its places. */
export interface RunnerOf {
  readonly userId: string
  readonly runnerId: string
}

interface KnownLink extends RunnerOf {
  readonly link: RunnerLink
  isOpen: boolean
  checkedAt: number
}

/**
 * Follows the links of this host, as its jobs know them; `onChange` is called when a runner came, came again, or went.
 */
export function openLinks(
  { clock, limits, runners }: Pick<WorkServices, 'clock' | 'limits' | 'runners'>,
  onChange: (runner: RunnerOf) => void,
) {
  const known = new Map<string, KnownLink>()
  /** Links of other hosts, by the ids of their runners. */
  const elsewhere = new Map<string, RunnerLink>()
  const named = new Map<string, RunnerOf>()

  const stop = runners.onChange(({ userId, link, isOnline }) => {
    if (userId === null) return
    if (link.elsewhere) {
      if (isOnline) elsewhere.set(link.id, link)
      else if (elsewhere.get(link.id) === link) elsewhere.delete(link.id)
      return
    }
    // A change of an older link of the same runner says nothing about the one that displaced it.
    if ((known.get(link.id)?.link.epoch ?? 0) > link.epoch) return
    const runner = { userId, runnerId: link.id }
    if (isOnline) known.set(link.id, { ...runner, link, isOpen: false, checkedAt: clock.now() })
    else known.delete(link.id)
    named.set(link.id, runner)
    onChange(runner)
  })

  /** The link that a job of this runner runs on; `null`: the runner is not connected to this host. */
  const of = (runnerId: string): RunnerLink | null =>
    runnerId === BUILTIN ? runners.builtin : (known.get(runnerId)?.link ?? null)

  const ofOther = (runnerId: string): RunnerLink | null =>
    of(runnerId) === null ? (elsewhere.get(runnerId) ?? null) : null

  return {
    of,
    /** The link that another host has; `null`: none has, or this one. */
    ofOther,
    /** How many jobs of a user run at once on it; its machine may want fewer. */
    slots: (runnerId: string): number =>
      Math.min(
        limits.JOBS_RUNNING_PER_RUNNER,
        (of(runnerId) ?? ofOther(runnerId))?.slots ?? limits.JOBS_RUNNING_PER_RUNNER,
      ),
    /** Whether its jobs may start: those that waited for it were taken up, so that none overtakes them. */
    isOpen: (runnerId: string): boolean => runnerId === BUILTIN || (known.get(runnerId)?.isOpen ?? false),
    /** What waited for the runner was taken up, for that link. */
    open(runnerId: string, link: RunnerLink): void {
      const one = known.get(runnerId)
      if (one?.link === link) one.isOpen = true
    },
    /** Marks a runner whose jobs have to be checked. */
    markDue: (runner: RunnerOf): void => void named.set(runner.runnerId, runner),
    /**
     * The runners to be checked: those that `markDue` marked, and each link once every `JOB_TAKE_UP_MS`, for what
     * another host left when it lost the same runner later than this one had it. Each is returned once.
     */
    *due(): Iterable<RunnerOf> {
      const now = clock.now()
      for (const one of known.values()) {
        if (now - one.checkedAt < limits.JOB_TAKE_UP_MS) continue
        one.checkedAt = now
        named.set(one.runnerId, one)
      }
      for (const [runnerId, runner] of named) {
        named.delete(runnerId)
        yield runner
      }
    },
    close: stop,
  }
}

export type Links = ReturnType<typeof openLinks>
