import { useDesk, useDeskState } from '../components/use-desk.ts'
import { NoticeCard } from '../panels/notice-card.tsx'
import { shownOver } from '../state/notices.ts'
import styles from './toasts.module.css'

/** The latest news that somebody should see now; they stay until they are dismissed, and then in their panel. */
export function Toasts() {
  const desk = useDesk()
  const notices = useDeskState((state) => state.notices)
  const panel = useDeskState((state) => state.panel)
  const loud = panel === 'notices' ? [] : shownOver(notices)
  return (
    <section aria-label="New notices" aria-live="polite" className={styles.toasts} id="new-notices">
      {loud.map((notice) => (
        <div className={styles.toast} key={notice.id}>
          <NoticeCard notice={notice} onDismiss={() => desk.dismiss(notice.id)} />
        </div>
      ))}
    </section>
  )
}
