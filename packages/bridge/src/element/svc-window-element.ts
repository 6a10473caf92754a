import type { HostContext } from '@svc/contract/wire'
import type { Bridge } from '../bridge.ts'
import type { SvcWindow } from '../svc-window.ts'

/**
 * The element `<svc-window>`: a window of an app while it is in the page. It opens a new one (`app-id`), or shows one that
 * is open at the host (`window-uuid`). Its iframe fills it: give the element `display: block` and a size.
 *
 * A browser loads an iframe anew that is moved in the page, and the app with it, unless `moveBefore` moves it.
 */
export interface SvcWindowElement extends HTMLElement {
  /** The attribute `app-id`: an app that the user installed. Another one opens another window. */
  appId: string | null
  /** The attribute `view`: a view in its manifest. Default: the default view. */
  view: string | null
  /** The attribute `window-uuid`: a window that is open at the host, in place of a new one. */
  windowUuid: string | null
  /** The attribute `keep`: what leaves the page, or goes with it, stays open at the host. Without it, it is closed. */
  keep: boolean
  /** Any JSON value for a new window: the app reads it as `entry_payload` of its hello. */
  payload: unknown
  /** The page's theme, language, focus and styles, for the app. */
  context: HostContext | undefined
  /** The bridge that opens the window, where it is not the one that `defineSvcWindow` was given. */
  bridge: Bridge | undefined
  /** The window, while it is open. */
  readonly window: SvcWindow | undefined
  /** Loads the app anew; a window that could not be opened is opened again. */
  reload(): void
  /** Hears an event; the `detail` of those of this element is typed. */
  addEventListener<Type extends keyof SvcWindowElementEventMap>(
    type: Type,
    hear: (this: SvcWindowElement, event: SvcWindowElementEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    hear: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
  /** Stops hearing an event. */
  removeEventListener<Type extends keyof SvcWindowElementEventMap>(
    type: Type,
    hear: (this: SvcWindowElement, event: SvcWindowElementEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(
    type: string,
    hear: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void
}

/** The events of the element by their names; `error` and `close` are its own, in place of those of other elements. */
export type SvcWindowElementEventMap = Omit<HTMLElementEventMap, keyof SvcWindowElementEvents> & {
  readonly [Type in keyof SvcWindowElementEvents]: CustomEvent<SvcWindowElementEvents[Type]>
}

declare global {
  /** What `document.querySelector('svc-window')` and `createElement` return. */
  interface HTMLElementTagNameMap {
    'svc-window': SvcWindowElement
  }
}

/** Why a window shows no app: it could not be opened or loaded, its document is gone, or gives no sign of life. */
export type SvcWindowTrouble = 'failed' | 'ended' | 'silent'

/** The events of the element, and the `detail` of each. They do not bubble. */
export interface SvcWindowElementEvents {
  /** The app's document is in the iframe. */
  open: {
    /** The window. */
    readonly window: SvcWindow
  }
  /** The app gave its window a title. */
  title: {
    /** The title. */
    readonly title: string
  }
  /** The user, the app or another page closed the window. The element stays, and is empty. */
  close: {
    /** What the closer said. */
    readonly reason: string | null
  }
  /** The host does not know the window any more: open another in its place. */
  lost: {
    /** The window. */
    readonly window: SvcWindow
  }
  /**
   * The window shows no app, or shows it again. The element says so, with *Reload* and *Close*, unless `preventDefault` was
   * called.
   */
  trouble: {
    /** Why; `null`: it is over. */
    readonly trouble: SvcWindowTrouble | null
  }
  /** The window could not be opened, or not be closed at the host. */
  error: {
    /** A `BridgeError`: what `mountWindow`, `attachWindow` or `close` rejected with. */
    readonly error: unknown
  }
}
