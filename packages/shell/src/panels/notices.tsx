import { Button } from '@mantine/core'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { NoticeCard } from './notice-card.tsx'
import styles from './panels.module.css'

/** Everything that hosts refused and bundles reported since the page was loaded, newest first. */
export function Notices() {
  const desk = useDesk()
  const notices = useDeskState((state) => state.notices)
  if (notices.length === 0)
    return (
      <p className={styles.empty}>Calls that the host refuses and errors that apps report appear here.</p>
    )
  return (
    <>
      <ol className={styles.list}>
        {notices.map((notice) => (
          <li className={styles.card} key={notice.id}>
            <NoticeCard notice={notice} />
          </li>
        ))}
      </ol>
      <Button color="gray" fullWidth mt="sm" onClick={() => desk.clearNotices()} variant="subtle">
        Clear the list
      </Button>
    </>
  )
}
