import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the keyboard where it was: what changes moves or loses its buttons, and with them the focus. It then goes to
 * the heading of the same card, which the card's `data-heading` names by its id; where the card is gone, to the list.
 */
export function useKeptFocus(room: RefObject<HTMLElement | null>, list: unknown): void {
  const held = useRef<string | null>(null)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const note = ({ target }: FocusEvent) => {
      const inside = target instanceof Element && element.contains(target) ? target : null
      held.current = inside && (inside.closest('[data-heading]')?.getAttribute('data-heading') ?? '')
    }
    const { ownerDocument } = element
    ownerDocument.addEventListener('focusin', note)
    return () => ownerDocument.removeEventListener('focusin', note)
  }, [room])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list has been drawn anew
  useEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return
    const heading = document.getElementById(held.current)
    const target = heading ?? room.current?.closest<HTMLElement>('[tabindex]')
    target?.focus()
  }, [list])
}
