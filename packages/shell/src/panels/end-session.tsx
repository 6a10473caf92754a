import type { ReactNode } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import styles from '../components/cards.module.css'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { runsText, type Session } from '../state/session.ts'
import { newsOf } from '../state/tell.ts'
import { SESSIONS } from './use-sessions.ts'

/** The foot of a session that can be ended: its button asks first, for nobody can resume it after that. */
export function EndSession({
  session,
  name,
  source,
  stale,
  children,
}: {
  session: Session
  name: string
  /** Where a refusal comes from, in its notice. */
  source: string
  stale: boolean
  children: ReactNode
}) {
  const { ask, tell } = useDesk()
  const { app_session_uuid } = session
  const end = useAct(`end ${app_session_uuid}`, async () => {
    try {
      await ask('DELETE /api/v1/svc-apps/sessions/{app_session_uuid}', { params: { app_session_uuid } })
    } catch (error) {
      tell(newsOf(error, source))
    }
    return { reads: SESSIONS }
  })
  const runs = session.active_runs > 0 ? ` Its ${runsText(session)} under way will be cancelled.` : ''
  return (
    <AskFirst
      asked={{ name: `End ${name}`, word: 'End', act: 'End the session', keep: 'Keep it' }}
      busy={end.isBusy}
      onAct={end.run}
      question={<p className={styles.question}>The app cannot go on with it after that.{runs}</p>}
      stale={stale}
    >
      {children}
    </AskFirst>
  )
}
