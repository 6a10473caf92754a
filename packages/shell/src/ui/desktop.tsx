import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { frontOf } from '../geometry/z-order.ts'
import styles from './desktop.module.css'
import { focusGrip, GRIP_HELP } from './grip.ts'
import { icons } from './icons.tsx'
import { useDesk, useDeskState } from './use-desk.ts'
import { watchFrames, windowKeyOf } from './watch-frames.ts'
import { WindowFrame } from './window-frame.tsx'

/** A screen on which windows stand one below the other, as in the style sheets. */
const SMALL = '(max-width: 760px)'

/** The room where windows stand. Their order in the document never changes: moving an iframe would load it anew. */
export function Desktop() {
  const desk = useDesk()
  const windows = useDeskState((state) => state.windows)
  const chosen = useDeskState((state) => state.chosen)
  const area = useDeskState((state) => state.area)
  const stacked = useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false })
  const room = useRef<HTMLDivElement>(null)
  const front = frontOf(windows)

  useEffect(() => {
    const element = room.current
    if (!element) return
    const measure = () => desk.setArea({ w: element.clientWidth, h: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const { look, stop } = watchFrames(window, element, (key) => desk.raise(key))
    const unwatch = desk.watchedBy(look)
    return () => {
      observer.disconnect()
      unwatch()
      stop()
    }
  }, [desk])

  const frontKey = front?.key
  const opener = front?.wanted.openerKey
  useEffect(() => {
    const { activeElement } = document
    const held = activeElement?.tagName === 'IFRAME' ? windowKeyOf(activeElement) : undefined
    // The keyboard goes with the window in front, and on from a closed one. A window that a bundle raised takes
    // it from nobody who is typing, but from the window that opened it.
    const mayTake = frontKey === chosen || (held !== undefined && held === opener)
    const isElsewhere = held !== undefined && held !== frontKey && mayTake
    if (frontKey !== undefined && (isElsewhere || activeElement === document.body)) focusGrip(frontKey)
  }, [frontKey, chosen, opener])

  const frontTitle = front?.title
  const isRoom = useDeskState(({ manage }) => manage.isOpen)
  useEffect(() => {
    const title = isRoom ? 'Manage' : frontTitle
    document.title = title === undefined ? 'svc' : `${title} · svc`
  }, [frontTitle, isRoom])

  return (
    <div className={styles.desktop} data-stacked={stacked || undefined} ref={room}>
      <p hidden id={GRIP_HELP}>
        Arrow keys move the window, with Shift they resize it, with Alt in fine steps.
      </p>
      {windows.length === 0 && <Empty />}
      {windows.map((one) => (
        <WindowFrame
          area={area}
          front={one.key === front?.key}
          key={one.key}
          stacked={stacked}
          window={one}
        />
      ))}
    </div>
  )
}

function Empty() {
  const apps = useDeskState((state) => state.apps)
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>{icons.windows}</span>
      <p className={styles.emptyTitle}>{apps.length > 0 ? 'Nothing is open' : 'No app is installed'}</p>
      <p className={styles.emptyText}>
        {apps.length > 0 ? 'Choose an app to open a window.' : 'Start with the folder of one: svc dev my-app'}
      </p>
    </div>
  )
}
