import { useEffect } from 'react'
import { useDesk } from '../components/use-desk.ts'
import { shortcuts } from './shortcuts.ts'

/** Whether somebody types text there. */
const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** Listens to the keys of the page. While an app has the keyboard the page hears none of them. */
export function useShortcuts(): void {
  const desk = useDesk()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { signIn, dialog } = desk.store.get()
      if (event.defaultPrevented || signIn.phase !== 'in' || dialog !== null) return
      const shortcut = shortcuts.find((one) => one.isPressed(event))
      if (!shortcut || (shortcut.types && isField(event.target))) return
      event.preventDefault()
      shortcut.act(desk)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [desk])
}
