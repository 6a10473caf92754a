import type { OpenEvents } from './call-socket-parts.ts'
import type { Clock } from './clock.ts'
import type { StreamPlace } from './stream-places.ts'

/** What the event stream needs, and whom it tells. */
export interface EventStreamParts {
  readonly url: string
  /** Whether the stream also tells all `tool_job` events of the user. */
  readonly jobs: boolean
  readonly open: OpenEvents
  readonly clock: Clock
  /** A number in [0, 1). */
  readonly random: () => number
  /** The text of one event, flat JSON. */
  readonly onEvent: (text: string) => void
  /** Calls may come over a socket: what serves the stream takes upgrades. */
  readonly onCalls: () => void
  /** The host no longer knows our place: events were lost. */
  readonly onReset: () => void
  /** The host does not answer; it is tried again until it does. `isSilent`: it opened the stream and said nothing on it. */
  readonly onLost: (isSilent: boolean) => void
  /** The stream stands again, after a loss or a refusal. */
  readonly onBack: () => void
  /** It refuses the stream: the sign-in or a window may be gone. */
  readonly onRefused: (status: number) => void
  /** Something before the host answered in its place. */
  readonly onForeign: (response: Response) => void
}

/** The one event stream of a page. */
export interface EventStream {
  /**
   * Notes the place in the stream for a window that is about to open: once it is watched, its events are told
   * from here. Returns, when the place is known, how to let go of the note: after `watch`, or when none opened.
   */
  hold(): Promise<() => void>
  /** Follows these windows, and no others; the place in the stream is kept. */
  watch(windowUuids: readonly string[]): void
  /** Another connection comes for it, or `stands`: it goes on over that, as soon as its place is known. */
  move(stands: boolean): void
  /** The network may be another: asks at once whether the host answers, or only where it is away. */
  ask(ifAway?: boolean): void
  /** Notes a frame that was told: the next connection goes on behind it. */
  passed(frame: StreamPlace): void
  close(): void
}
