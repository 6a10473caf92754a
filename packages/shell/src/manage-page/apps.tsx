import { useRef } from 'react'
import { Problem } from '../components/problem.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useKeptFocus } from '../components/use-kept-focus.ts'
import { InstallCard } from './install-card.tsx'
import styles from './manage-page.module.css'
import { PlaceHeading } from './place-heading.tsx'

/** The installed apps and what their user allowed them. */
export function Apps() {
  const desk = useDesk()
  const { list, readAt, problem } = useDeskState(({ manage }) => manage.installs)
  const room = useRef<HTMLDivElement>(null)
  useKeptFocus(room, list)
  return (
    <div className={styles.form} ref={room}>
      <PlaceHeading>Installed apps</PlaceHeading>
      <Problem
        onRetry={() => desk.manage.read()}
        problem={problem}
        readAt={list.length > 0 ? readAt : null}
        things="apps"
      />
      {list.length === 0 && problem === null && (
        <p className={styles.text}>{readAt === null ? 'Loading…' : 'No app is installed.'}</p>
      )}
      <ul aria-label="Installed apps" className={styles.list}>
        {list.map((app) => (
          <InstallCard app={app} key={app.install_id} />
        ))}
      </ul>
    </div>
  )
}
