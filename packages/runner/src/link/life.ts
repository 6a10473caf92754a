/** Where the watch gets its time. */
interface WatchClock {
  now(): number
  setTimer(fn: () => void, ms: number): () => void
}

/** What a watch watches. */
export interface WatchParts {
  readonly clock: WatchClock
  readonly silentMs: number
  /** A process that was held up finds the timer due before the bytes that came meanwhile: it looks again after this. */
  readonly lookMs: number
  /** Nothing was heard for so long. Called once. */
  readonly onSilent: () => void
}

/** Watches for the silence after which the other side counts as lost; any byte is a sign of life. */
export function watchSilence({ clock, silentMs, lookMs, onSilent }: WatchParts) {
  let heardAt = clock.now()
  let stop = clock.setTimer(check, silentMs)

  function check(): void {
    const leftMs = heardAt + silentMs - clock.now()
    const before = heardAt
    stop =
      leftMs > 0
        ? clock.setTimer(check, leftMs)
        : clock.setTimer(() => (heardAt === before ? onSilent() : check()), lookMs)
  }

  return {
    heard(): void {
      heardAt = clock.now()
    },
    stop: () => stop(),
  }
}
