import { memo } from 'react'
import { AppMark } from '../components/app-mark.tsx'
import styles from '../components/cards.module.css'
import { timeText } from '../components/time-text.ts'
import { appOf } from '../state/job.ts'
import {
  agentText,
  isOpen,
  runsText,
  type Session,
  sessionName,
  sessionTitle,
  standingOf,
  standings,
} from '../state/session.ts'
import { countdownsOf } from '../state/session-times.ts'
import type { App } from '../state/state.ts'
import { Countdowns } from './countdowns.tsx'
import { EndSession } from './end-session.tsx'
import panelStyles from './panels.module.css'

/** One session. `passed`: ms since the host told it; `stale`: the host did not confirm it. */
export const SessionCard = memo(function SessionCard({
  session,
  apps,
  passed,
  stale,
}: {
  session: Session
  apps: readonly App[]
  passed: number
  stale: boolean
}) {
  const app = appOf(session, apps)
  const title = sessionTitle(session)
  const { word, tone } = standings[standingOf(session)]
  const open = isOpen(session)
  const headingId = `session-${session.app_session_uuid}`
  const owner = `${app.name} · ${agentText(session)}`
  return (
    <li
      className={`${panelStyles.card} ${styles.toned}`}
      data-heading={headingId}
      data-session={session.app_session_uuid}
      data-tone={tone}
    >
      <article aria-labelledby={headingId}>
        <div className={styles.head}>
          <AppMark name={app.name} slug={app.slug} />
          <div className={styles.names}>
            <h4 className={styles.name} id={headingId} tabIndex={-1} title={title}>
              {title}
            </h4>
            <p className={styles.owner} title={owner}>
              {owner}
            </p>
          </div>
          <span className={styles.state}>{word}</span>
        </div>
        {open && !stale && <Countdowns countdowns={countdownsOf(session, passed)} />}
        {open ? (
          <EndSession
            name={sessionName(session, apps)}
            session={session}
            source={`${app.name} · ${title}`}
            stale={stale}
          >
            <Times session={session} stale={stale} />
          </EndSession>
        ) : (
          <Times session={session} stale={stale} />
        )}
      </article>
    </li>
  )
})

/** Since when it is there, and what it is busy with. */
function Times({ session, stale }: { session: Session; stale: boolean }) {
  const at = Date.parse(isOpen(session) ? session.created_at : session.last_active_at)
  return (
    <p className={styles.times}>
      {isOpen(session) && !stale && `${runsText(session)} under way · `}
      {isOpen(session) ? 'since' : 'last used'}{' '}
      <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
    </p>
  )
}
