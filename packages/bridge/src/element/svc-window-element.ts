import type { HostContext } from '@svc/contract/wire'
import type { Bridge, SvcWindow } from '../bridge.ts'

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
  /** The attribute `keep`: what leaves the page stays open at the host. Without it, it is closed. */
  keep: boolean
  /** Any JSON value for a new window: the app reads it as `entry_payload` of its hello. */
  payload: unknown
  /** The page's theme, language, focus and styles, for the app. */
  context: HostContext | undefined
  /** The bridge that opens the window, where it is not the one that `defineSvcWindow` was given. */
  bridge: Bridge | undefined
  /** The window, while it is open. */
  readonly window: SvcWindow | undefined
}

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
  /** The window could not be opened, or not be closed at the host. */
  error: {
    /** A `BridgeError`: what `mountWindow`, `attachWindow` or `close` rejected with. */
    readonly error: unknown
  }
}
