import { useDesk, useDeskState } from '../components/use-desk.ts'
import { MANAGE_ID } from '../manage-page/manage-page.tsx'
import styles from './top-bar.module.css'

/** Opens and shuts the page where plugins, runners and apps are managed. */
export function ManageButton() {
  const desk = useDesk()
  const isOpen = useDeskState(({ manage }) => manage.isOpen)
  return (
    <button
      aria-controls={MANAGE_ID}
      aria-expanded={isOpen}
      className={styles.manage}
      onClick={() => desk.change(() => ({ isOpen: !isOpen }))}
      type="button"
    >
      Manage
    </button>
  )
}
