/** How often a page that lost the keyboard to an iframe looks which one has it, in ms. */
const LOOK_MS = 150

/** The key of the window that an element is in. */
export const windowKeyOf = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-window]')?.dataset.window

/**
 * Tells when an iframe is clicked or tabbed into. A page sees no event of that but its own `blur`, and none at
 * all when the keyboard goes from one iframe to another; so while an iframe has it, the page looks now and then.
 * Nothing lies over the iframes: the first click into a window behind reaches its document. Returns how to check at
 * once, and how to stop.
 */
export function watchFrames(
  page: Window,
  room: Element,
  onEntered: (key: string) => void,
): { checkFocus(): void; stop(): void } {
  let last: Element | null = null
  /** What had the keyboard before an iframe took it. */
  let before: Element | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  const checkFocus = () => {
    const { activeElement } = page.document
    if (activeElement === last) return
    if (activeElement?.tagName === 'IFRAME' && activeElement.closest('[inert]')) return giveBack()
    last = activeElement
    before = activeElement
    const key = activeElement ? windowKeyOf(activeElement) : undefined
    if (key !== undefined && activeElement?.tagName === 'IFRAME' && room.contains(activeElement))
      onEntered(key)
  }
  /** A minimised window is entered by nobody: its bundle took the keyboard, which no style keeps it from. */
  const giveBack = () => {
    if (before instanceof HTMLElement && before.isConnected && before !== page.document.body) before.focus()
    else if (page.document.activeElement instanceof HTMLElement) page.document.activeElement.blur()
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof Element && !target.closest('[inert]')) before = target
  }
  const onBlur = () => {
    clearInterval(timer)
    timer = setInterval(checkFocus, LOOK_MS)
    // The active element changes after the event.
    setTimeout(checkFocus)
  }
  const onFocus = () => {
    clearInterval(timer)
    last = null
  }
  const listening = new AbortController()
  page.addEventListener('blur', onBlur, listening)
  page.addEventListener('focus', onFocus, listening)
  page.document.addEventListener('focusin', onFocusIn, listening)
  return {
    checkFocus,
    stop() {
      clearInterval(timer)
      listening.abort()
    },
  }
}
