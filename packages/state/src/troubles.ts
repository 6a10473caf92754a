import type { Clock } from '@svc/node'

/** What notes which parts of a state cannot be written. */
export interface TroublesOptions {
  readonly clock: Clock
  /** Writes what changes nothing to a part; rejects where writes fail, and notes the outcome as any other write. */
  readonly probe: (part: string) => Promise<unknown>
}

/** How long a part in trouble rests before it is tried again, in ms. */
const PROBE_MS = 1_000

/** Opens the note of what cannot be written. It is tried again until it can, so that it is known though nobody writes. */
export function openTroubles({ clock, probe }: TroublesOptions) {
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
    /** Takes why a write to a part failed, a sentence; null: it went well. */
    note(part: string, sentence: string | null): void {
      if (sentence === null) sentences.delete(part)
      else {
        sentences.set(part, sentence)
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
