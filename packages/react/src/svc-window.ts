import type { Bridge, HostContext, SvcWindow as Window } from '@svc/bridge'
import {
  defineSvcWindow,
  type SvcWindowElement,
  type SvcWindowElementEvents,
  type SvcWindowTrouble,
} from '@svc/bridge/element'
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  type RefAttributes,
  useImperativeHandle,
  useRef,
} from 'react'

/** Properties of `SvcWindow` that are not those of every element. */
interface OwnProps {
  /** An app that the user installed. Another one opens another window. */
  readonly appId?: string | undefined
  /** A view in its manifest. Default: the default view. */
  readonly view?: string | undefined
  /** A window that is open at the host, in place of a new one. */
  readonly windowUuid?: string | undefined
  /** Whether the window stays open at the host after an unmount. Default: it is closed. */
  readonly keep?: boolean | undefined
  /** Any JSON value for a new window: the app reads it as `entry_payload` of its hello. */
  readonly payload?: unknown
  /** The page's theme, language, focus and styles, for the app. */
  readonly context?: HostContext | undefined
  /** The bridge that opens the window. Default: `createBridge()`, one for the page. */
  readonly bridge?: Bridge | undefined
  /** Called when the app's document is in the iframe. */
  readonly onOpen?: ((window: Window) => void) | undefined
  /** Called when the app gives its window a title. */
  readonly onTitle?: ((title: string) => void) | undefined
  /** Called when the user, the app or another page closed the window; not for an unmount. */
  readonly onClose?: ((reason: string | null) => void) | undefined
  /** Called when the host does not know the window any more. */
  readonly onLost?: ((window: Window) => void) | undefined
  /**
   * Called when the window shows no app, and with `null` when it does again. With it, the element says nothing of its own in
   * its place.
   */
  readonly onTrouble?: ((trouble: SvcWindowTrouble | null) => void) | undefined
  /** Called with a `BridgeError` when the window could not be opened, or not be closed at the host. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What React, or who writes to the element, would put in place of the iframe. */
type Inside = 'children' | 'dangerouslySetInnerHTML'

/**
 * Properties of `SvcWindow`: an app to open, or a window to show, what to do when something happens to it, and what every
 * element has: `className`, `style`, `id`, `hidden`, `aria-label`, `onFocus`.
 */
export interface SvcWindowProps
  extends OwnProps,
    Omit<HTMLAttributes<SvcWindowElement>, keyof OwnProps | Inside> {}

/**
 * A window of an app in a page: the element `<svc-window>`, which is what a `ref` gets. An unmount closes the window. An
 * element that React moves in the page is loaded anew by the browser, and the app with it: give a list of windows one order,
 * and change it by CSS.
 *
 * @example
 * ```tsx
 * <SvcWindow appId={install.app_id} onTitle={setTitle} onClose={() => setOpen(false)} onError={show} />
 * ```
 */
export const SvcWindow: ForwardRefExoticComponent<SvcWindowProps & RefAttributes<SvcWindowElement>> =
  forwardRef(function SvcWindow(
    {
      appId,
      view,
      windowUuid,
      keep = false,
      payload,
      context,
      bridge,
      className,
      onOpen,
      onTitle,
      onClose,
      onLost,
      onTrouble,
      onError,
      ...others
    }: SvcWindowProps,
    ref: Ref<SvcWindowElement>,
  ): ReactElement {
    const shown = useRef<SvcWindowElement | null>(null)
    const listening = useRef<AbortController | undefined>(undefined)
    // The element stays the same in all renders, and so nobody hears of the ref that is set anew in each.
    useImperativeHandle(ref, () => shown.current as SvcWindowElement, [])

    // A ref is set in the tick in which the element comes: before it opens its window.
    function set(element: SvcWindowElement | null): void {
      shown.current = element
      listening.current?.abort()
      if (!element) return
      defineSvcWindow()
      Object.assign(element, { appId, view, windowUuid, keep, payload, context, bridge })
      const stop = new AbortController()
      listening.current = stop
      const on = <Type extends keyof SvcWindowElementEvents>(
        type: Type,
        hear: (detail: SvcWindowElementEvents[Type], event: Event) => void,
      ) => element.addEventListener(type, (event: CustomEvent) => hear(event.detail, event), stop)
      on('open', ({ window }) => onOpen?.(window))
      on('title', ({ title }) => onTitle?.(title))
      on('close', ({ reason }) => onClose?.(reason))
      on('lost', ({ window }) => onLost?.(window))
      if (onTrouble)
        on('trouble', ({ trouble }, event) => {
          event.preventDefault()
          onTrouble(trouble)
        })
      on('error', ({ error }) => onError?.(error))
    }
    return createElement('svc-window', { ...attributesOf(others), class: className, ref: set }, null)
  })

/** Attributes that say "false", which is something else than their absence. */
const SAYS_FALSE = /-|^(contentEditable|spellCheck|draggable)$/
/** What would take the place of the iframe, whatever types say. */
const INSIDE: readonly string[] = ['children', 'dangerouslySetInnerHTML'] satisfies Inside[]

/**
 * Properties as both majors of React write them to an element with a hyphen in its name. React 18 writes `hidden={false}` as
 * `hidden="false"`, which hides. React 19 sets what the element has as a property, and so writes `title="undefined"` where a
 * title is gone; in capitals it has no property, and the browser reads the attribute alike.
 */
function attributesOf(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const attribute = ([name, value]: [string, unknown]) => {
    if (/^(on|style|suppress)/.test(name)) return [name, value]
    return [name.toUpperCase(), value === false && !SAYS_FALSE.test(name) ? undefined : value?.toString()]
  }
  const given = Object.entries(properties).filter(([name]) => !INSIDE.includes(name))
  return Object.fromEntries(given.map(attribute))
}
