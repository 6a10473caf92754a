import { Switch } from '@mantine/core'
import styles from '../components/cards.module.css'
import { icons } from '../components/icons.tsx'
import { useApps, useDesk, useDeskState } from '../components/use-desk.ts'
import { useNow } from '../components/use-list.ts'
import { isOpen } from '../state/session.ts'
import { PanelList } from './panel-list.tsx'
import { SessionCard } from './session-card.tsx'
import { useSessions } from './use-sessions.ts'

/** The user's agent sessions over all apps: the active ones, then, where they are wanted, those that have ended. */
export function Sessions() {
  const { store } = useDesk()
  const apps = useApps()
  const withEnded = useDeskState((state) => state.withEnded)
  const query = useSessions()
  const list = query.data?.list.filter((one) => withEnded || isOpen(one)) ?? []
  const passed = Math.max(0, useNow(list.some(isOpen)) - query.dataUpdatedAt)
  return (
    <>
      <Switch
        checked={withEnded}
        className={styles.switch}
        label="Show ended sessions"
        onChange={({ currentTarget: { checked } }) =>
          store.set((state) => ({ ...state, withEnded: checked }))
        }
        size="xs"
      />
      <PanelList
        card={(session) => (
          <SessionCard
            apps={apps}
            key={session.app_session_uuid}
            // What has ended is drawn once, and not each second.
            passed={isOpen(session) ? passed : 0}
            session={session}
            stale={query.isError}
          />
        )}
        emptyTitle="No session is open"
        icon={icons.sessions}
        isActive={isOpen}
        isCut={query.data?.full ?? false}
        list={list}
        query={query}
        things="sessions"
      >
        A session is a conversation of an app with an agent. Once an app opens one with{' '}
        <code>agent.session</code>, you can see here what it is doing and how long it lasts, and end it.
      </PanelList>
    </>
  )
}
