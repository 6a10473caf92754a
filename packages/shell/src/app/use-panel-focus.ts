import { type RefObject, useEffect, useRef } from 'react'

/** Names the place of the panels, which their buttons control. */
export const PANEL_ID = 'panel'

/**
 * Takes the keyboard of who opened a panel by its button into its list, past all that stands in the windows between,
 * and back to the button when the panel is shut from inside.
 */
export function usePanelFocus(list: RefObject<HTMLElement | null>, open: string | null): void {
  const opener = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a panel was opened or shut
  useEffect(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.getAttribute('aria-controls') === PANEL_ID) {
      opener.current = activeElement
      list.current?.focus()
    }
    return () => {
      if (document.activeElement === document.body) opener.current?.focus()
    }
  }, [list, open])
}
