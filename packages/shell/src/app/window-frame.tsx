import { ActionIcon, Button } from '@mantine/core'
import { type MouseEvent, memo, type PointerEvent, useEffect, useRef } from 'react'
import { AppMark } from '../components/app-mark.tsx'
import { GRIP_HELP, gripId } from '../components/grip.ts'
import { icons } from '../components/icons.tsx'
import { useDesk } from '../components/use-desk.ts'
import { fillRect, shownRect } from '../geometry/clamp.ts'
import type { Size } from '../geometry/rect.ts'
import { type Edge, edges } from '../geometry/resize.ts'
import type { DeskWindow } from '../state/state.ts'
import { BuildNotice } from './build-notice.tsx'
import handleStyles from './handles.module.css'
import { Starting } from './starting.tsx'
import { useDrag } from './use-drag.ts'
import { useGripKeys } from './use-grip-keys.ts'
import { VersionNotice } from './version-notice.tsx'
import styles from './window-frame.module.css'
import { WindowTrouble } from './window-trouble.tsx'

/** A window: its title bar, its handles, and the body into which the bridge puts the iframe. */
export const WindowFrame = memo(function WindowFrame(props: {
  window: DeskWindow
  area: Size
  front: boolean
  small: boolean
}) {
  const { front, small } = props
  const { key, title, app, bounds, over, z, minimised, maximised, phase } = props.window
  const desk = useDesk()
  const body = useRef<HTMLDivElement>(null)
  const rect = maximised
    ? fillRect(bounds, props.area)
    : shownRect(props.window.rect, bounds, props.area, over)
  const isFixed = small || maximised
  const drag = useDrag(props.window, rect, isFixed)
  const onKeyDown = useGripKeys(props.window, rect, isFixed)

  // A press of Enter is a click without a button of a mouse.
  const onGripClick = ({ detail }: MouseEvent) => {
    if (detail === 0) body.current?.querySelector('iframe')?.focus()
  }
  const onDoubleClick = ({ target }: MouseEvent) => {
    const button = (target as Element).closest('button')
    if (!small && (button === null || button.id === gripId(key))) desk.toggleMaximised(key)
  }

  useEffect(() => {
    if (body.current) desk.fill(key, body.current)
  }, [desk, key])

  const place = small ? {} : { left: rect.x, top: rect.y, width: rect.w, height: rect.h, zIndex: z }
  return (
    <section
      aria-label={title}
      className={styles.window}
      data-front={front || undefined}
      data-minimised={minimised || undefined}
      data-phase={phase}
      data-window={key}
      data-maximised={maximised || undefined}
      inert={minimised || (small && !front) || undefined}
      onPointerDownCapture={() => desk.raise(key)}
      style={place}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same for the keyboard */}
      <div className={styles.bar} onDoubleClick={onDoubleClick} {...drag.grip}>
        <button
          aria-describedby={GRIP_HELP}
          className={styles.grip}
          id={gripId(key)}
          onClick={onGripClick}
          onFocus={() => desk.raise(key)}
          onKeyDown={onKeyDown}
          type="button"
        >
          <AppMark name={app.name} slug={app.slug} small />
          <span className={styles.title}>
            <bdi>{title}</bdi>
          </span>
        </button>
        {!small && (
          <>
            <ActionIcon aria-label={`Minimise ${title}`} onClick={() => desk.minimise(key)}>
              {icons.minimise}
            </ActionIcon>
            <ActionIcon
              aria-label={`${maximised ? 'Restore' : 'Maximise'} ${title}`}
              onClick={() => desk.toggleMaximised(key)}
            >
              {maximised ? icons.restore : icons.maximise}
            </ActionIcon>
          </>
        )}
        <ActionIcon
          aria-label={`Close ${title}`}
          loading={phase === 'closing'}
          onClick={() => desk.close(key)}
        >
          {icons.close}
        </ActionIcon>
      </div>
      <VersionNotice window={props.window} />
      <div className={styles.body} data-busy={drag.busy || undefined} ref={body} />
      <Starting window={props.window} />
      <BuildNotice appId={props.window.wanted.appId} title={title} />
      <WindowTrouble window={props.window} />
      {phase === 'lost' && (
        <div className={styles.lost}>
          <p className={styles.lostText}>The host no longer knows this window.</p>
          <Button onClick={() => desk.reopenLost()} size="compact-md" variant="filled">
            Open again
          </Button>
        </div>
      )}
      {!isFixed && <Handles start={drag.start} />}
    </section>
  )
})

/** The edges and corners by which a pointer resizes a window; the keyboard does it from the title bar. */
function Handles({ start }: { start: (event: PointerEvent<HTMLElement>, edge: Edge) => void }) {
  return edges.map((edge) => (
    <div
      aria-hidden="true"
      className={handleStyles.handle}
      data-edge={edge}
      key={edge}
      onPointerDown={(event) => start(event, edge)}
    />
  ))
}
