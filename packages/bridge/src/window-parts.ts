import type { Post } from './forward.ts'
import type { HelloListener } from './handshake.ts'
import type { HostEvent } from './host-event.ts'
import type { Addresses } from './iframe.ts'
import type { Lanes } from './lanes.ts'
import type { Routes, WindowRecord } from './routes.ts'
import type { SvcWindow } from './svc-window.ts'
import type { TokenKeeper } from './token.ts'
import type { FrameParts, FrameWatch } from './watch-frame.ts'

/** A window as the bridge holds it. */
export interface MountedWindow extends HelloListener {
  readonly handle: SvcWindow
  readonly token: TokenKeeper
  /** How often pages had attached it when this one began to show it. */
  readonly attached: number
  /** The wait for the first document. */
  readonly frame: FrameWatch
  /** Tells what happened before its page had the handle, and from then on at once. */
  tell(): void
  /** An event of the host about this window. */
  event(event: HostEvent): void
  reset(): void
  lost(): void
}

/** What a window needs. */
export interface WindowParts extends FrameParts {
  readonly record: Omit<WindowRecord, 'status'>
  readonly attached: number
  readonly addresses: Addresses
  readonly token: TokenKeeper
  readonly lanes: Lanes
  readonly post: Post
  readonly routes: Routes
  /** What users agreed to that apps want. */
  readonly agreed: Set<string>
  /** The keys that the page takes from an app that does not use them. */
  readonly keys: readonly string[]
  /** Whether its app may be cross-origin isolated. */
  readonly isolated: boolean
  /** Hears what documents tell the window of the page that they are in. */
  readonly listen: (view: Window) => void
  /** The window left the page. */
  readonly onLeave: (window: MountedWindow) => void
}
