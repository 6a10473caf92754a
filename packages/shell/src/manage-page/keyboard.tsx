import { useEffect } from 'react'

const isLost = () => document.activeElement === document.body
const give = (id: string) => document.getElementById(id)?.focus()

/** Gives the keyboard to the element with this id when it comes, where what had the keyboard went for it. */
export function useArrival(id: string): void {
  useEffect(() => {
    if (isLost()) give(id)
  }, [id])
}

/** Gives the keyboard to the element with this id when it goes itself, and with it what had the keyboard. */
export function GivesBack({ to }: { to: string }) {
  useEffect(
    () => () => {
      if (isLost()) give(to)
    },
    [to],
  )
  return null
}
