import { type PointerEvent, useRef, useState } from 'react'
import { useDesk } from '../components/use-desk.ts'
import type { Rect } from '../geometry/rect.ts'
import { type Edge, pull } from '../geometry/resize.ts'
import type { DeskWindow } from '../state/state.ts'

/** A pointer that pulls a window along, or one of its edges. */
interface Drag {
  readonly pointerId: number
  readonly x: number
  readonly y: number
  readonly rect: Rect
  readonly edge: Edge | 'move'
}

/** Moves and resizes a window with a pointer; `busy` while it does. `shown`: where it is drawn; `fixed`: it stays there. */
export function useDrag(window: DeskWindow, shown: Rect, fixed: boolean) {
  const desk = useDesk()
  const drag = useRef<Drag | null>(null)
  const [busy, setBusy] = useState(false)

  function start(event: PointerEvent<HTMLElement>, edge: Edge | 'move') {
    if (event.button !== 0 || fixed || window.phase === 'opening') return
    const element = event.currentTarget
    const { pointerId, clientX: x, clientY: y } = event
    drag.current = { pointerId, x, y, rect: shown, edge }
    element.setPointerCapture(pointerId)
    setBusy(true)

    const listening = new AbortController()
    const moved = (move: globalThis.PointerEvent) => {
      const now = drag.current
      if (!now || move.pointerId !== now.pointerId) return
      const by = { dx: move.clientX - now.x, dy: move.clientY - now.y }
      const { area } = desk.store.get()
      const rect =
        now.edge === 'move'
          ? { ...now.rect, x: now.rect.x + by.dx, y: now.rect.y + by.dy }
          : pull(now.rect, now.edge, by, window.bounds, area)
      desk.setRect(window.key, rect)
    }
    const ended = (end: globalThis.PointerEvent) => {
      if (end.pointerId !== drag.current?.pointerId) return
      drag.current = null
      listening.abort()
      setBusy(false)
      desk.placed(window.key)
    }
    element.addEventListener('pointermove', moved, listening)
    element.addEventListener('pointerup', ended, listening)
    element.addEventListener('pointercancel', ended, listening)
  }

  return {
    busy,
    start,
    grip: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        // The buttons of the bar are buttons; its grip is the bar itself.
        const button = (event.target as Element).closest('button')
        if (button === null || button.id.startsWith('grip-')) start(event, 'move')
      },
    },
  }
}
