import { type ReactNode, useEffect, useId } from 'react'
import styles from './manage-page.module.css'

const isLost = () => document.activeElement === document.body
const focusElement = (id: string) => document.getElementById(id)?.focus()

/** Gives the keyboard to the element with this id when it comes, where what had the keyboard went for it. */
export function useArrival(id: string): void {
  useEffect(() => {
    if (isLost()) focusElement(id)
  }, [id])
}

/** Gives the keyboard to the element with this id when it goes itself, and with it what had the keyboard. */
export function FocusReturn({ to }: { to: string }) {
  useEffect(
    () => () => {
      if (isLost()) focusElement(to)
    },
    [to],
  )
  return null
}

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
