import { AppMark } from '../components/app-mark.tsx'
import { focusGrip } from '../components/grip.ts'
import { useApps, useDesk } from '../components/use-desk.ts'
import { launcherVersion } from '../state/install.ts'
import type { App } from '../state/state.ts'
import styles from './launcher.module.css'

/** The installed apps: a press opens a window of the default view, or of another one that is named below it. */
export function Launcher() {
  const apps = useApps()
  return (
    <nav aria-label="Apps" className={styles.launcher} id="apps">
      <h2 className={styles.heading}>Apps</h2>
      <ul className={styles.list}>
        {apps.map((app) => (
          <Entry app={app} key={app.app_id} />
        ))}
      </ul>
    </nav>
  )
}

function Entry({ app }: { app: App }) {
  const desk = useDesk()
  const first = app.views.find((view) => view.default) ?? app.views[0]
  const versionState = launcherVersion(app)
  const others = app.views.filter((view) => view !== first)
  const open = (view?: string) => focusGrip(desk.open(app.app_id, view))
  return (
    <li>
      <button className={styles.app} onClick={() => open()} title={`Open ${app.name}`} type="button">
        <AppMark name={app.name} slug={app.slug} />
        <span className={styles.text}>
          <span className={styles.name}>
            <bdi>{app.name}</bdi>
          </span>
          {versionState !== null && <span className={styles.version}>{versionState}</span>}
        </span>
      </button>
      {others.length > 0 && (
        <ul aria-label={`Views of ${app.name}`} className={styles.views}>
          {others.map((view) => (
            <li key={view.name}>
              <button className={styles.view} onClick={() => open(view.name)} type="button">
                <bdi>{view.title ?? view.name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
