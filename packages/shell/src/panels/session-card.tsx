import { memo } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import styles from '../components/cards.module.css'
import { timeText } from '../components/time-text.ts'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { appOf } from '../state/job.ts'
import {
  agentText,
  isOpen,
  runsText,
  type Session,
  sessionName,
  sessionStatus,
  sessionStatuses,
  sessionTitle,
} from '../state/session.ts'
import { countdownsOf } from '../state/session-times.ts'
import type { App } from '../state/state.ts'
import { newsOf } from '../state/tell.ts'
import { PanelCard } from './panel-card.tsx'
import { SESSIONS } from './use-sessions.ts'

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
  const { ask } = useDesk()
  const { app_session_uuid, active_runs } = session
  const app = appOf(session, apps)
  const title = sessionTitle(session)
  const end = useAct(`end ${app_session_uuid}`, async () => {
    try {
      await ask('DELETE /api/v1/svc-apps/sessions/{app_session_uuid}', { params: { app_session_uuid } })
      return { reads: SESSIONS }
    } catch (error) {
      return { reads: SESSIONS, news: newsOf(error, `${app.name} · ${title}`) }
    }
  })
  const runs = active_runs > 0 ? ` Its ${runsText(session)} under way will be cancelled.` : ''
  const times = <Times session={session} stale={stale} />
  return (
    <PanelCard
      app={app}
      id={`session-${app_session_uuid}`}
      owner={agentText(session)}
      row={sessionStatuses[sessionStatus(session)]}
      title={title}
    >
      {isOpen(session) && !stale && (
        <dl className={styles.countdowns}>
          {countdownsOf(session, passed).map(({ name, text, late }) => (
            <div data-late={late || undefined} key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen(session) ? (
        <AskFirst
          act={end}
          beside={times}
          does="End the session"
          name={`End ${sessionName(session, apps)}`}
          stale={stale}
          word="End"
        >
          <p className={styles.question}>The app cannot go on with it after that.{runs}</p>
        </AskFirst>
      ) : (
        times
      )}
    </PanelCard>
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
