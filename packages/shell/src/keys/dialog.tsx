import type { ReactNode } from 'react'
import { PageDialog } from '../components/page-dialog.tsx'
import { useDesk } from '../components/use-desk.ts'
import styles from './keys.module.css'

/** A dialog that a key opened. A click beside it closes it, too. */
export function KeysDialog({ label, children }: { label: string; children: ReactNode }) {
  const desk = useDesk()
  const close = () => desk.showDialog(null)
  return (
    <PageDialog
      aria-label={label}
      className={styles.dialog}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
      onClose={close}
    >
      <div className={styles.inner}>{children}</div>
    </PageDialog>
  )
}
