import type { EventPayloads, Geometry, WindowEvent } from '@svc/contract/client'
import type { HostContext } from '@svc/contract/wire'
import type { BridgeError, RefusedCall } from './bridge-error.ts'
import type { ViewMeta } from './routes.ts'
import type { AppDownload, AppLink } from './wishes.ts'

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
   * The window was closed by the user, the app or another page; its iframe is gone. `reason` is what the closer said.
   * `error` is there where the bridge closed it: its frame flooded the page (`rate_limited`), or was led to the document of
   * another window (`permission_denied`).
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
