import type { EventPayloads, WindowEvent } from '@svc/contract/client'
import type { Clock } from './clock.ts'
import type { WindowRecord } from './routes.ts'
import type { SvcWindow } from './svc-window.ts'

/** An event as the page hears it; a job that is told for the page itself (`jobs`) belongs to no window. */
export type PageEvent<Type extends WindowEvent['type']> = Type extends 'tool_job'
  ? Omit<WindowEvent<Type>, 'window_uuid'> & { readonly window_uuid: string | null }
  : WindowEvent<Type>

/** What the bridge tells about all its windows and the host: `bridge.on('host_lost', showBanner)`. */
export type BridgeEvents = {
  /** The events of the host about any window on this page, by their `type`. */
  [Type in keyof EventPayloads]: (event: PageEvent<Type & WindowEvent['type']>) => void
} & {
  /** Events may be lost: read again what is shown by them. */
  reset: () => void
  /**
   * The host does not respond; the bridge keeps trying. `reason`: `offline`, the browser has no network; `silent`, the
   * host answers and no event comes, because something on the way holds events back (calls may work); `unreachable`, all else.
   */
  host_lost: (loss: { readonly reason: 'offline' | 'silent' | 'unreachable' }) => void
  /** It responds again, after a loss or after the user signed in again. */
  host_back: () => void
  /**
   * Something before the host answered in its place: a sign-in page of a proxy, or that of a network. The bridge keeps
   * trying. `url` answered with HTTP `status`; 0: it led elsewhere. Loading the page anew shows what it wants.
   */
  intercepted: (by: { readonly url: string; readonly status: number }) => void
  /** The host does not know the user's sign-in any more: let the user sign in, the windows go on after that. */
  signed_out: () => void
  /** The host does not know this window any more: detach it, and mount a new one. */
  window_lost: (window: SvcWindow) => void
}

/** Options of `createBridge`; all may be left out. */
export interface BridgeOptions {
  /**
   * Where the host is: `''` for the root of the page's own origin, `/svc` for a host with `basePath: '/svc'` there, or
   * `https://host.site` for one of another origin, which lists that of the page (`createHost({ origins })`). What follows the
   * origin is the `basePath` of the host.
   */
  readonly baseUrl?: string
  /**
   * Returns a short-lived token that the page's own backend makes for its user, for a host at another site, where browsers
   * send no cookie; `null`: nobody is signed in, and the page hears `signed_out`. It is asked for again after two minutes and
   * when the host refuses it. Where it throws, the host is unreachable, and the error is the `cause`.
   */
  readonly token?: () => Promise<string | null | undefined>
  /**
   * Whether `tool_job` is also told of every job of the user, whatever app or page it belongs to, while windows are
   * on the page; `window_uuid` is then `null`. Default `false`.
   */
  readonly jobs?: boolean
  /**
   * Keys that the page gets from an app that has the keyboard and does not use them itself, by `key` of `WindowEvents`:
   * `Mod+K` (Ctrl or ⌘) or `Alt+W`, with any letter, and `F6` or `Shift+F6`, with any number. The browser does nothing of
   * its own at these. An app can claim that they were pressed. Default: none.
   *
   * @example
   * const bridge = createBridge({ keys: ['Mod+K'] })
   * win.on('key', () => document.activeElement === win.iframe && openSearch())
   */
  readonly keys?: readonly string[]
  /**
   * Whether apps may be cross-origin isolated where this page is (`crossOriginIsolated`): they have `SharedArrayBuffer` and
   * threads of WebAssembly then, and exact clocks. Firefox isolates them in any case, WebKit never. Default `false`.
   */
  readonly isolated?: boolean
  /** What requests go through, for tests or for headers of your own. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch
  /** The time and its timers, for tests. Default: the page's own. */
  readonly clock?: Clock
  /** Returns a number in [0, 1), for the pauses between tries. Default: `Math.random`. */
  readonly random?: () => number
  /**
   * Hears errors that no caller can: a listener that throws, an event that is not JSON, a frame that was closed because
   * it flooded the page. It also hears each `load_failed`, which the caller of `mountWindow` or `attachWindow` gets
   * too. Default: the page's `error` event.
   */
  readonly onError?: (error: unknown) => void
}

/** Where a window goes on the page. */
export interface Into {
  /** The element that the iframe is put into, in the page: one that is not in it yet is not waited for. */
  readonly into: Element
  /** The iframe's accessible name. Default: the window's title. */
  readonly title?: string
}

/** Where a window goes, and how long its document is waited for. */
export interface MountOptions extends Into {
  /**
   * What is waited for: `loaded`, the document of the app is in the frame; `connected`, it also said hello, which an app does
   * with its first use of the SDK. Default `loaded`.
   */
  readonly until?: 'loaded' | 'connected'
  /**
   * How long to wait, in ms: then the promise rejects with `host_unreachable` where the host has not opened the window, with
   * `load_failed` where no document came. `attachWindow` asks the host for 10 s at most. Default 60 000.
   */
  readonly timeoutMs?: number
  /** Gives the wait up: the window is taken away again, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The bridge of a page. */
export interface Bridge {
  /**
   * Opens a new window of an app and puts it on the page. Resolves when the app's document is in the iframe; a window
   * whose document does not come is closed again.
   *
   * @example
   * const win = await bridge.mountWindow({ into: document.querySelector('main')!, appId })
   * win.on('closed', ({ reason }) => console.log('closed', reason))
   * @throws BridgeError `load_failed` where the document does not come; `details.reason` is `csp` (the page's
   *   `frame-src`), `coep`, `framing`, `policy`, `mixed`, `foreign`, `http`, `filtered`, `unreachable`, `script`, `closed`,
   *   `timeout` or `blocked`, and `hint` the line to change. Else what the host refused: `not_found`, …
   */
  mountWindow(
    options: MountOptions &
      Partial<Pick<SvcWindow, 'keep'>> & {
        /** The id of an app that the user installed. */
        readonly appId: string
        /** The name of a view in its manifest. Default: the default view. */
        readonly view?: string
        /** Any JSON value: the app reads it as `entry_payload` of its hello. */
        readonly payload?: unknown
      },
  ): Promise<SvcWindow>
  /**
   * Puts a window that is open at the host back on the page, as one with `keep` is after a reload. A window whose document does not
   * come is taken off the page again and stays open at the host.
   *
   * @example
   * for (const { window_uuid } of await bridge.listWindows())
   *   await bridge.attachWindow({ into: document.querySelector('main')!, windowUuid: window_uuid })
   * @throws BridgeError `load_failed` as `mountWindow`; `not_found` for no window of the user; `conflict` for one that
   *   is on this page already.
   */
  attachWindow(
    options: MountOptions & {
      /** The uuid of the window, from `listWindows` or `win.windowUuid`. */
      readonly windowUuid: string
    },
  ): Promise<SvcWindow>
  /** Returns the windows of the user that are open at the host, on this page or not. @throws BridgeError */
  listWindows(): Promise<readonly WindowRecord[]>
  /** The windows on this page. */
  readonly windows: readonly SvcWindow[]
  /** Listens to an event of `BridgeEvents`; returns how to stop. */
  on<Type extends keyof BridgeEvents & string>(type: Type, listener: BridgeEvents[Type]): () => void
  /** Takes every window off the page and closes all connections; the windows stay open at the host. Twice is harmless. */
  dispose(): void
}
