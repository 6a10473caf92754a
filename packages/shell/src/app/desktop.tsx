import { useDocumentTitle } from '@mantine/hooks'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { focusGrip, GRIP_HELP } from '../components/grip.ts'
import { icons } from '../components/icons.tsx'
import { useApps, useDesk, useDeskState } from '../components/use-desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import { tabTitle } from '../windows/tab-title.ts'
import styles from './desktop.module.css'
import { watchFrames, windowKeyOf } from './watch-frames.ts'
import { WindowFrame } from './window-frame.tsx'

/** The room for windows. Their order in the document never changes: moving an iframe would load it again. */
export function Desktop() {
  const desk = useDesk()
  const windows = useDeskState((state) => state.windows)
  const chosen = useDeskState((state) => state.chosen)
  const area = useDeskState((state) => state.area)
  const small = useDeskState((state) => state.small)
  const room = useRef<HTMLDivElement>(null)
  const front = frontOf(windows)

  const measure = useCallback(
    ({ clientWidth, clientHeight }: Element) => desk.setArea({ w: clientWidth, h: clientHeight }),
    [desk],
  )
  // The first window brings the task bar, which takes room: a window must not be placed by the room before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are more windows or fewer
  useLayoutEffect(() => {
    if (room.current) measure(room.current)
  }, [measure, windows.length])

  useEffect(() => {
    const element = room.current
    if (!element) return
    const observer = new ResizeObserver(() => measure(element))
    observer.observe(element)
    const { checkFocus, stop } = watchFrames(window, element, (key) => desk.raise(key))
    desk.focusChecks.add(checkFocus)
    return () => {
      observer.disconnect()
      desk.focusChecks.delete(checkFocus)
      stop()
    }
  }, [desk, measure])

  const frontKey = front?.key
  const opener = front?.wanted.openerKey
  useEffect(() => {
    const { activeElement } = document
    const held = activeElement?.tagName === 'IFRAME' ? windowKeyOf(activeElement) : undefined
    // The keyboard goes with the window in front, and on from a closed one. A window that a bundle raised takes
    // it from nobody who is typing, but from the window that opened it.
    const mayTake = frontKey === chosen || (held !== undefined && held === opener)
    const isElsewhere = held !== undefined && held !== frontKey && mayTake
    // After a load of the page nobody has chosen a window, and the keyboard begins at the top as on any page.
    const isNowhere = activeElement === document.body && chosen !== null
    if (frontKey !== undefined && (isElsewhere || isNowhere)) focusGrip(frontKey)
  }, [frontKey, chosen, opener])

  const isManaging = useDeskState(({ manage }) => manage.isOpen)
  const shown = front ? tabTitle(front) : 'svc'
  useDocumentTitle(isManaging ? 'Manage · svc' : shown)

  return (
    <div className={styles.desktop} data-small={small || undefined} ref={room}>
      <p hidden id={GRIP_HELP}>
        Enter goes into the app. Arrow keys move the window; with Shift they resize it, with Alt in small
        steps.
      </p>
      {windows.length === 0 && <Empty />}
      {windows.map((one) => (
        <WindowFrame area={area} front={one.key === front?.key} key={one.key} small={small} window={one} />
      ))}
    </div>
  )
}

function Empty() {
  const apps = useApps()
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>{icons.windows}</span>
      <p className={styles.emptyTitle}>{apps.length > 0 ? 'Nothing is open' : 'No app is installed'}</p>
      <p className={styles.emptyText}>
        {apps.length > 0
          ? 'Choose an app to open a window.'
          : 'Start svc with the folder of an app: svc dev my-app'}
      </p>
    </div>
  )
}
