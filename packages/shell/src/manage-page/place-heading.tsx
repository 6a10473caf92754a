import { type ReactNode, useId } from 'react'
import { useArrival } from './keyboard.tsx'
import styles from './manage-page.module.css'

/** The heading of a place of Manage. It takes the keyboard of who came by a button that is gone. */
export function PlaceHeading({ children, id: given }: { children: ReactNode; id?: string }) {
  const own = useId()
  const id = given ?? own
  useArrival(id)
  return (
    <h3 className={styles.placeTitle} id={id} tabIndex={-1}>
      {children}
    </h3>
  )
}
