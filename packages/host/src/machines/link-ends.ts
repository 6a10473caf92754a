import { noteSeen } from './admit.ts'
import type { RunnerNeeds } from './services.ts'

/** A link that is over, and whose machine it was of. */
export interface LinkEnd {
  readonly userId: string
  readonly runnerId: string
  readonly epoch: number
}

/**
 * Opens the ends of links: what the store does not take is written again, or other hosts would ask this one for a link that
 * it does not have for as long as it lives.
 */
export function openLinkEnds(parts: RunnerNeeds, announce: (end: LinkEnd) => Promise<void>) {
  const unwritten = new Map<string, LinkEnd>()

  async function note(end: LinkEnd): Promise<void> {
    const { runnerId, epoch } = end
    try {
      if (await noteSeen(parts, runnerId, { epoch, holder: null })) await announce(end)
      if (unwritten.get(runnerId) === end) unwritten.delete(runnerId)
    } catch (err) {
      if (unwritten.get(runnerId) === end) return
      unwritten.set(runnerId, end)
      parts.log.warn({ err, runner: runnerId }, 'the end of a link could not be written and is tried again')
    }
  }

  return {
    /** Writes down that no host has the link any more, unless there is a newer one, and tells the others. Never rejects. */
    note,
    /** Writes what could not be written. Never rejects. */
    async again(): Promise<void> {
      for (const end of [...unwritten.values()]) await note(end)
    },
  }
}
