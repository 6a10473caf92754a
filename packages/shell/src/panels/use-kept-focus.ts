import { type RefObject, useEffect, useRef } from 'react'
import { jobHeadingId } from './job-card.tsx'

/**
 * Keeps the keyboard where it was: a job that ends moves down and loses its buttons, and with them the focus. It then
 * goes to the heading of the same job.
 */
export function useKeptFocus(room: RefObject<HTMLElement | null>, list: unknown): void {
  const held = useRef<string | null>(null)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const note = ({ target }: FocusEvent) => {
      const job = target instanceof Element && element.contains(target) ? target.closest('[data-job]') : null
      held.current = job?.getAttribute('data-job') ?? null
    }
    const { ownerDocument } = element
    ownerDocument.addEventListener('focusin', note)
    return () => ownerDocument.removeEventListener('focusin', note)
  }, [room])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list has been drawn anew
  useEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return
    document.getElementById(jobHeadingId(held.current))?.focus()
  }, [list])
}
