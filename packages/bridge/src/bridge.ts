import type { EventPayloads, WindowEvent } from '@svc/contract'
import type { Clock } from './clock.ts'
import type { WindowRecord } from './routes.ts'
import type { SvcWindow } from './window.ts'

/** An event as the page hears it; a job that is told for the page itself (`jobs`) belongs to no window. */
export type PageEvent<Type extends WindowEvent['type']> = Type extends 'tool_job'
  ? Omit<WindowEvent<Type>, 'window_uuid'> & { readonly window_uuid: string | null }
  : WindowEvent<Type>

/** What the bridge tells about all its windows and the host. */
export type BridgeEvents = {
  [Type in keyof EventPayloads]: (event: PageEvent<Type & WindowEvent['type']>) => void
} & {
  /** Events may be lost: read again what is shown by them. */
  reset: () => void
  /** The host does not answer; the bridge keeps trying. */
  host_lost: () => void
  /** It answers again, after a loss or after the user signed in again. */
  host_back: () => void
  /** The host does not know the user's sign-in any more. */
  signed_out: () => void
  /** The host does not know this window any more; detach it, open a new one. */
  window_lost: (window: SvcWindow) => void
}

/** Options of `createBridge`. */
export interface BridgeOptions {
  /** Where the host is: `''` for the page's own origin, or `https://host.site`. */
  readonly baseUrl?: string
  /**
   * While windows are on the page, `tool_job` is also told of every job of the user, whatever app or page it
   * belongs to; then `window_uuid` is `null` (design §7). Default `false`.
   */
  readonly jobs?: boolean
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  /** A number in [0, 1), for the pauses between tries. */
  readonly random?: () => number
  /** Errors that belong to no caller: a listener that throws, an event that is no JSON. Default: the page's error event. */
  readonly onError?: (error: unknown) => void
}

/** Where a window goes on the page. */
export interface Into {
  /** The element that the iframe is put into. */
  readonly into: Element
  /** The iframe's accessible name; else the window's title. */
  readonly title?: string
}

/** The bridge of a page. */
export interface Bridge {
  /** Opens a new window of an app and puts it on the page. @throws BridgeError */
  mountWindow(
    options: Into & { readonly appId: string; readonly view?: string; readonly payload?: unknown },
  ): Promise<SvcWindow>
  /** Puts a window that is open at the host back on the page, after a reload of it. @throws BridgeError */
  attachWindow(options: Into & { readonly windowUuid: string }): Promise<SvcWindow>
  /** The windows of the user that are open at the host, on this page or not. @throws BridgeError */
  listWindows(): Promise<readonly WindowRecord[]>
  /** The windows on this page. */
  readonly windows: readonly SvcWindow[]
  /** Listens; answers how to stop. */
  on<Type extends keyof BridgeEvents & string>(type: Type, listener: BridgeEvents[Type]): () => void
  /** Takes every window off the page and closes all that is open; disposing twice is harmless. */
  dispose(): void
}
