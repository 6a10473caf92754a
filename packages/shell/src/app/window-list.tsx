import { ActionIcon } from '@mantine/core'
import { AppMark } from '../components/app-mark.tsx'
import { focusGrip } from '../components/grip.ts'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import styles from './window-list.module.css'

/** Every open window by its title, on a small screen: a press shows it. */
export function WindowList() {
  const desk = useDesk()
  const windows = useDeskState((state) => state.windows)
  const front = frontOf(windows)
  return (
    <nav aria-label="Windows" className={styles.sheet} id="windows">
      <h2 className={styles.heading}>Open windows</h2>
      {windows.length === 0 && <p className={styles.empty}>No window is open.</p>}
      <ul className={styles.list}>
        {windows.map(({ key, title, app, phase }) => (
          <li className={styles.row} key={key}>
            <button
              aria-current={key === front?.key || undefined}
              className={styles.window}
              onClick={() => {
                desk.raise(key)
                focusGrip(key)
              }}
              type="button"
            >
              <AppMark name={app.name} slug={app.slug} />
              <span className={styles.names}>
                <span className={styles.title}>
                  <bdi>{title}</bdi>
                </span>
                {title !== app.name && (
                  <span className={styles.app}>
                    <bdi>{app.name}</bdi>
                  </span>
                )}
              </span>
            </button>
            <ActionIcon
              aria-label={`Close ${title}`}
              loading={phase === 'closing'}
              onClick={() => desk.close(key)}
              size="xl"
            >
              {icons.close}
            </ActionIcon>
          </li>
        ))}
      </ul>
    </nav>
  )
}
