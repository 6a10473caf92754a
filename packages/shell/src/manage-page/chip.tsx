import type { ReactNode } from 'react'
import type { StateRow } from '../state/job.ts'
import styles from './manage-page.module.css'

/** A state in a word, in its colour. */
export const Chip = ({ tone, children }: { tone: StateRow['tone']; children: ReactNode }) => (
  <span className={styles.chip} data-tone={tone}>
    {children}
  </span>
)
