import type { Clock } from '@svc/node'
import type { Failure } from '../threads/failure.ts'

/** What notes which files of a folder cannot be written. */
export interface TroublesOptions {
  readonly clock: Clock
  /** Writes what changes nothing to the file of a role; rejects where writes fail. */
  readonly probe: (role: string) => Promise<unknown>
  /** Says a failure in a sentence. */
  readonly sentenceOf: (failure: Failure) => string
}

/** How long a file in trouble rests before it is tried again, in ms. */
const PROBE_MS = 1_000

/** Opens the note of what cannot be written. It is tried again until it can, so that it is known though nobody writes. */
export function openTroubles({ clock, probe, sentenceOf }: TroublesOptions) {
  const sentences = new Map<string, string>()
  let isClosed = false
  let stop = () => {}
  let isPlanned = false

  function plan(): void {
    if (isPlanned || isClosed) return
    isPlanned = true
    stop = clock.setTimer(() => void tryAgain(), PROBE_MS)
  }

  async function tryAgain(): Promise<void> {
    // Each outcome is noted as that of any other write.
    await Promise.allSettled([...sentences.keys()].map(probe))
    isPlanned = false
    if (sentences.size > 0) plan()
  }

  return {
    /** Takes how a write to the file of a role went; null: well. */
    note(role: string, failure: Failure | null): void {
      if (failure?.code === 'bug') return
      if (failure === null) sentences.delete(role)
      else {
        sentences.set(role, sentenceOf(failure))
        plan()
      }
    },
    /** Why writes fail just now; null while they succeed. */
    current(): string | null {
      const [first = null] = sentences.values()
      return first
    },
    close(): void {
      isClosed = true
      stop()
    },
  }
}
