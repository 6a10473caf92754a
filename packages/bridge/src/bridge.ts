import type { ErrorBody, EventPayloads, Geometry, WindowEvent } from '@svc/contract'
import type { HostContext } from '@svc/contract/wire'
import type { BridgeError } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import type { ViewMeta, WindowRecord } from './routes.ts'
import type { AppDownload, AppLink } from './wishes.ts'

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
   * `https://host.site`. What follows the origin is the `basePath` of the host.
   */
  readonly baseUrl?: string
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
   *   `frame-src`), `http` (the host refused it) or `blocked`. Else what the host refused: `not_found`, …
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
   * Puts a window that is open at the host back on the page, after a reload of it. A window whose document does not
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

/** A call of the app that was refused, for the page to show. */
export interface RefusedCall extends ErrorBody {
  /** The namespace of the method, such as `storage`. */
  readonly ns: string
  /** The method, such as `get`. */
  readonly method: string
  /** What the reader can do about it, where the host says so. */
  readonly hint?: string | undefined
}

/** What a window tells: the host's events about it, and what the bridge sees itself. */
export type WindowEvents = {
  /** The events of the host about this window, by their `type`. */
  [Type in keyof EventPayloads]: (event: WindowEvent<Type & WindowEvent['type']>) => void
} & {
  /** A document in the iframe connected; `epoch` counts them from 1. */
  connected: (epoch: number) => void
  /** The document went away, another took its place, or the iframe was taken out of the page. */
  disconnected: () => void
  /**
   * `false`: the connected document has given no sign of life for 5 s, it is busy or in an endless loop, and
   * `close(…, { force: true })` ends it. `true`: it gives signs of life again, or is gone.
   */
  responds: (does: boolean) => void
  /**
   * The document is gone and no other has come for 5 s: it crashed, or what was loaded in its place is no app. `reload`
   * brings the app back, `connected` says that it is there again.
   */
  ended: () => void
  /**
   * The app asks for an address of another site to be opened; its user should be asked first. Who listens does it; without a
   * listener the bridge asks by `confirm`, once for each app and site.
   *
   * @example
   * win.on('open_link', ({ url, open }) => { if (confirm(`Open ${url}?`)) open() })
   */
  open_link: (link: AppLink) => void
  /**
   * The app offers a file to its user, who should be asked first, as with `open_link`.
   *
   * @example
   * win.on('download', ({ name, save }) => { if (confirm(`Save ${name}?`)) save() })
   */
  download: (file: AppDownload) => void
  /** A key of `BridgeOptions.keys` was pressed, and the app did not use it. */
  key: (name: string) => void
  /** A call of the app was refused. */
  refused: (call: RefusedCall) => void
  /** The host does not know the window any more (it restarted without a store, or closed it). */
  lost: () => void
  /**
   * The user, the app or another page closed it, for this `reason`; its iframe is gone. `error`: the bridge closed it, as
   * its frame flooded the page (`rate_limited`), or was led to the document of another window (`permission_denied`).
   */
  closed: (close: { readonly reason: string | null; readonly error?: BridgeError }) => void
}

/** A window on the page. */
export interface SvcWindow {
  /** Its id at the host. */
  readonly windowUuid: string
  /** The app that runs in it. */
  readonly appId: string
  /** The name of its view, and the bounds of its size in CSS pixels. */
  readonly viewMeta: ViewMeta
  /**
   * The iframe that the app runs in. Style it as you like. A browser loads an iframe anew that is moved in the page;
   * one that is taken out of it is `disconnected` within a second, and stays a window until `close` or `detach`.
   */
  readonly iframe: HTMLIFrameElement
  /** Its size in CSS pixels and its place in the stack, as the host has them. */
  readonly geometry: Geometry
  /** Its title, which the app may change. */
  readonly title: string
  /** Whether a document in the iframe is connected. */
  readonly connected: boolean
  /** Whether it stays open at the host when the page goes. Set it at any time; one of `mountWindow` has `false` at first. */
  keep: boolean
  /** Listens to an event of `WindowEvents`, from the first one on; returns how to stop. */
  on<Type extends keyof WindowEvents & string>(type: Type, listener: WindowEvents[Type]): () => void
  /** Asks the host for a size in CSS pixels; returns what the view allows. @throws BridgeError */
  resize(size: { readonly w: number; readonly h: number }): Promise<{ w: number; h: number }>
  /** Raises the window above the others of its user. @throws BridgeError */
  focus(): Promise<void>
  /**
   * Tells the app the page's theme, language, focus and styles; each new document is told again.
   *
   * @example
   * const styles = { variables: { '--color-accent': 'light-dark(#3451c7, #9db2ff)' } }
   * win.setContext({ theme: 'dark', locale: 'en', focused: true, styles })
   */
  setContext(context: HostContext): void
  /** Loads the app anew, from another entry where one is given (a pushed draft). */
  reload(entryUrl?: string): void
  /**
   * Closes the window. The app is asked first (`beforeClose`, 1 s at most) unless `force` is set; returns false where
   * it wants to stay.
   *
   * @param reason up to 200 characters, told to the app and to every page that shows the window.
   * @throws BridgeError when the host cannot be told; the window stays.
   */
  close(reason?: string, options?: { readonly force?: boolean }): Promise<boolean>
  /** Takes the window off the page and leaves it open at the host: `attachWindow` brings it back. */
  detach(): void
}
