import { Switch } from '@mantine/core'
import { useRef } from 'react'
import styles from '../components/cards.module.css'
import { icons } from '../components/icons.tsx'
import { Problem } from '../components/problem.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useKeptFocus } from '../components/use-kept-focus.ts'
import { isOpen, type Session } from '../state/session.ts'
import panelStyles from './panels.module.css'
import { SessionCard } from './session-card.tsx'

/** The user's agent sessions over all apps: the active ones, then, where they are wanted, those that have ended. */
export function Sessions() {
  const desk = useDesk()
  const { list, full, withEnded, readAt, problem } = useDeskState((state) => state.sessions)
  const room = useRef<HTMLDivElement>(null)
  useKeptFocus(room, list)
  const active = list.filter(isOpen)
  const ended = withEnded ? list.slice(active.length) : []
  return (
    <div ref={room}>
      <Switch
        checked={withEnded}
        className={styles.switch}
        label="Show ended sessions"
        onChange={(event) => desk.showEndedSessions(event.currentTarget.checked)}
        size="xs"
      />
      <Problem
        onRetry={() => desk.readLists()}
        problem={problem}
        readAt={list.length > 0 ? readAt : null}
        things="sessions"
      />
      {active.length + ended.length === 0 && problem === null && <Empty known={readAt !== null} />}
      <Group sessions={active} title="Active" />
      <Group sessions={ended} title="Ended" />
      {full && <p className={panelStyles.hint}>Older sessions are not shown.</p>}
    </div>
  )
}

function Group({ title, sessions }: { title: string; sessions: readonly Session[] }) {
  const apps = useDeskState((state) => state.apps)
  const { readAt, shownAt, problem, ending } = useDeskState((state) => state.sessions)
  if (sessions.length === 0) return null
  return (
    <section aria-label={`${title} sessions`} className={styles.group}>
      <h3 className={styles.groupTitle}>
        {title} <span className={styles.groupCount}>{sessions.length}</span>
      </h3>
      <ol className={panelStyles.list}>
        {sessions.map((session) => (
          <SessionCard
            apps={apps}
            ending={ending.includes(session.app_session_uuid)}
            key={session.app_session_uuid}
            // What has ended is drawn once, and not each second.
            passed={isOpen(session) ? shownAt - (readAt ?? shownAt) : 0}
            session={session}
            stale={problem !== null}
          />
        ))}
      </ol>
    </section>
  )
}

function Empty({ known }: { known: boolean }) {
  if (!known) return <p className={panelStyles.empty}>Loading…</p>
  return (
    <div className={panelStyles.empty}>
      <span className={styles.emptyIcon}>{icons.sessions}</span>
      <p className={styles.emptyTitle}>No session is open</p>
      <p className={styles.emptyText}>
        A session is a conversation of an app with an agent. Once an app opens one with{' '}
        <code>agent.session</code>, you can see here what it is doing and how long it lasts, and end it.
      </p>
    </div>
  )
}
