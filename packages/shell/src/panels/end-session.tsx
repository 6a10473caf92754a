import type { ReactNode } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import styles from '../components/cards.module.css'
import { useDesk } from '../components/use-desk.ts'
import { runsText, type Session } from '../state/session.ts'

/** The foot of a session that can be ended: its button asks first, for nobody can resume it after that. */
export function EndSession({
  session,
  name,
  ending,
  stale,
  children,
}: {
  session: Session
  name: string
  ending: boolean
  stale: boolean
  children: ReactNode
}) {
  const desk = useDesk()
  const runs = session.active_runs > 0 ? ` Its ${runsText(session)} under way will be cancelled.` : ''
  return (
    <AskFirst
      asked={{ name: `End ${name}`, word: 'End', act: 'End the session', keep: 'Keep it' }}
      busy={ending}
      onAct={() => void desk.endSession(session.app_session_uuid)}
      question={<p className={styles.question}>The app cannot go on with it after that.{runs}</p>}
      stale={stale}
    >
      {children}
    </AskFirst>
  )
}
