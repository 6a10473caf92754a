import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useDesk } from '../components/use-desk.ts'
import styles from './keys.module.css'

/** A dialog over the whole page. Escape and a click beside it close it, and the keyboard goes back where it was. */
export function PageDialog({ label, children }: { label: string; children: ReactNode }) {
  const desk = useDesk()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser does itself
    <dialog
      aria-label={label}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault()
        desk.showDialog(null)
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && desk.showDialog(null)}
      ref={dialog}
    >
      <div className={styles.inner}>{children}</div>
    </dialog>
  )
}
