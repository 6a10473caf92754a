import { useEffect, useState } from 'react'
import type { DeskWindow } from '../state/state.ts'
import styles from './starting.module.css'

/** How long an app that is not connected is covered, in ms: one that never connects can be used after that. */
export const COVERED_MS = 3_000

/** Covers an app until it is connected: its buttons are seen before they work, and what is pressed then would be lost. */
export function Starting({ window: { phase, connected, app } }: { window: DeskWindow }) {
  const isStarting = (phase === 'opening' || phase === 'open') && !connected
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isStarting) return
    const timer = setTimeout(() => setLong(true), COVERED_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isStarting])
  if (!isStarting) return null
  return (
    <>
      {!isLong && (
        <p className={styles.starting}>
          <bdi>{app.name}</bdi> is starting
        </p>
      )}
      <span aria-hidden="true" className={styles.waiting} />
    </>
  )
}
