import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useDesk } from '../components/use-desk.ts'
import type { Rect } from '../geometry/rect.ts'
import { keyStep, pull } from '../geometry/resize.ts'
import type { DeskWindow } from '../state/state.ts'

/** A row of key presses is one move: it is over when no key came for this long, in ms. */
const REST_MS = 400

/** Moves a window by the arrow keys and resizes it with Shift; Alt makes the steps fine. */
export function useGripKeys(window: DeskWindow, shown: Rect, fixed: boolean) {
  const desk = useDesk()
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])

  return (event: KeyboardEvent) => {
    const step = keyStep(event.key, event.altKey)
    if (!step || fixed || window.phase !== 'open') return
    event.preventDefault()
    const { area } = desk.store.get()
    const { key, bounds } = window
    const { shiftKey } = event
    desk.setRect(
      key,
      shiftKey
        ? pull(shown, 'se', step, bounds, area)
        : { ...shown, x: shown.x + step.dx, y: shown.y + step.dy },
    )
    clearTimeout(rest.current)
    rest.current = setTimeout(() => {
      desk.placed(key)
      const now = desk.store.get().windows.find((one) => one.key === key)?.rect
      if (now) desk.say(shiftKey ? `${now.w} by ${now.h}` : `${now.x} from the left, ${now.y} from the top`)
    }, REST_MS)
  }
}
