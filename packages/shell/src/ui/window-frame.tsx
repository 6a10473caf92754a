import { ActionIcon, Button } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import type { DeskWindow } from '../desk/state.ts'
import { shownRect } from '../geometry/clamp.ts'
import type { Size } from '../geometry/rect.ts'
import { AppMark } from './app-mark.tsx'
import { GRIP_HELP, gripId } from './grip.ts'
import { Handles } from './handles.tsx'
import { icons } from './icons.tsx'
import { useDesk } from './use-desk.ts'
import { useDrag } from './use-drag.ts'
import { useGripKeys } from './use-grip-keys.ts'
import styles from './window-frame.module.css'

/** A window: its title bar, its handles, and the body into which the bridge puts the iframe. */
export const WindowFrame = memo(function WindowFrame(props: {
  window: DeskWindow
  area: Size
  front: boolean
  stacked: boolean
}) {
  const { front, stacked } = props
  const { key, title, app, bounds, over, z, minimised, phase, connected } = props.window
  const desk = useDesk()
  const frame = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const rect = shownRect(props.window.rect, bounds, props.area, over)
  const drag = useDrag(props.window, rect, stacked)
  const onKeyDown = useGripKeys(props.window, rect, stacked)

  useEffect(() => {
    if (body.current) desk.fill(key, body.current)
  }, [desk, key])
  useEffect(() => {
    if (front && stacked) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [front, stacked])

  const place = stacked
    ? { '--height': `${props.window.rect.h}px` }
    : { left: rect.x, top: rect.y, width: rect.w, height: rect.h, zIndex: z }
  return (
    <section
      aria-label={title}
      className={styles.window}
      data-front={front || undefined}
      data-minimised={minimised || undefined}
      data-phase={phase}
      data-window={key}
      inert={minimised || undefined}
      onPointerDownCapture={() => desk.raise(key)}
      ref={frame}
      style={place as React.CSSProperties}
    >
      <div className={styles.bar} {...drag.grip}>
        <button
          aria-describedby={GRIP_HELP}
          className={styles.grip}
          id={gripId(key)}
          onFocus={() => desk.raise(key)}
          onKeyDown={onKeyDown}
          type="button"
        >
          <AppMark name={app.name} slug={app.slug} small />
          <span className={styles.title}>{title}</span>
        </button>
        <ActionIcon
          aria-label={`Minimise ${title}`}
          color="gray"
          onClick={() => desk.minimise(key)}
          variant="subtle"
        >
          {icons.minimise}
        </ActionIcon>
        <ActionIcon
          aria-label={`Close ${title}`}
          color="gray"
          loading={phase === 'closing'}
          onClick={() => desk.close(key)}
          variant="subtle"
        >
          {icons.close}
        </ActionIcon>
      </div>
      <div className={styles.body} data-busy={drag.busy || undefined} ref={body} />
      {phase === 'open' && !connected && <span aria-hidden="true" className={styles.waiting} />}
      {phase === 'lost' && (
        <div className={styles.lost}>
          <p className={styles.lostText}>The host does not know this window any more.</p>
          <Button onClick={() => desk.reopenLost()} size="compact-md">
            Open again
          </Button>
        </div>
      )}
      {!stacked && <Handles start={drag.start} />}
    </section>
  )
})
