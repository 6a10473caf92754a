import { AppMark } from '../components/app-mark.tsx'
import { focusGrip } from '../components/grip.ts'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import styles from './task-bar.module.css'

/** Every window by its title: a press brings it to the front, and one that is in front out of the way. */
export function TaskBar() {
  const desk = useDesk()
  const windows = useDeskState((state) => state.windows)
  const front = frontOf(windows)
  if (windows.length === 0) return null
  return (
    <nav aria-label="Windows" className={styles.bar} id="tasks">
      <ul className={styles.list}>
        {windows.map(({ key, title, app, minimised }) => (
          <li key={key}>
            <button
              aria-current={key === front?.key || undefined}
              className={styles.task}
              data-minimised={minimised || undefined}
              onClick={() => {
                if (key === front?.key) return desk.minimise(key)
                desk.raise(key)
                focusGrip(key)
              }}
              type="button"
            >
              <AppMark name={app.name} slug={app.slug} small />
              <span className={styles.title}>
                <bdi>{title}</bdi>
              </span>
              {minimised && <span className="unseen">(minimised)</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
