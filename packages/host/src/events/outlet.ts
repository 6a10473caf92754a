import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Sink } from './sink.ts'
import type { AtTurnEnd } from './turn.ts'

/** The way to one page: what its reader writes in one turn of the event loop goes out as one piece. */
export interface Outlet {
  /** The page has not taken what it was given: it is written to again when it has. */
  readonly full: boolean
  /** Bytes that may be written before `READER_BUFFER_MAX_BYTES` wait. */
  readonly room: number
  write(bytes: Uint8Array): void
  /** Hands on what is held together. */
  flush(): void
  /** The sink takes more. */
  drained(): void
  /** Ends; behind a page that takes nothing an end would wait for ever, so it is cut. */
  end(): void
  /** Cuts the connection. */
  cut(): void
  /** Lets go of the sink, whose page is gone. */
  drop(): void
}

/** Opens an outlet; `onStalled` is told when the page took nothing for `READER_STALLED_MS`. */
export function openOutlet(options: {
  readonly clock: Clock
  readonly limits: Limits
  readonly sink: Sink
  readonly atTurnEnd: AtTurnEnd
  readonly onStalled: () => void
}): Outlet {
  const { clock, limits, sink, atTurnEnd, onStalled } = options
  let pieces: Uint8Array[] = []
  let held = 0
  let written = 0
  let full = false
  let over = false
  let stopStall: (() => void) | null = null

  const outlet: Outlet = {
    get full() {
      return full
    },
    get room() {
      return limits.READER_BUFFER_MAX_BYTES - sink.waiting - held
    },
    write(bytes) {
      if (over) return
      pieces.push(bytes)
      held += bytes.length
      if (pieces.length === 1) atTurnEnd(outlet.flush)
    },
    flush() {
      if (over || pieces.length === 0) return
      const [first] = pieces
      const bytes = pieces.length === 1 && first ? first : Buffer.concat(pieces)
      pieces = []
      held = 0
      written += bytes.length
      full = !sink.write(bytes)
      if (full && !stopStall) watch()
    },
    drained() {
      full = false
      stopStall?.()
      stopStall = null
    },
    end: () => close(() => (full ? sink.destroy() : sink.end())),
    cut: () => close(() => sink.destroy()),
    drop: () => close(() => {}),
  }

  /** A page that took nothing for a while is given up; its cursor lets it go on without loss. */
  function watch() {
    const taken = written - sink.waiting
    stopStall = clock.setTimer(() => {
      if (written - sink.waiting > taken) watch()
      else onStalled()
    }, limits.READER_STALLED_MS)
  }

  function close(how: () => void) {
    if (over) return
    over = true
    stopStall?.()
    how()
  }
  return outlet
}
