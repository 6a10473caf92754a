import styles from '../components/cards.module.css'
import type { Countdown } from '../state/session-times.ts'

/** The times that something has left, each under its name. */
export function Countdowns({ countdowns }: { countdowns: readonly Countdown[] }) {
  return (
    <dl className={styles.countdowns}>
      {countdowns.map(({ name, text, late }) => (
        <div data-late={late || undefined} key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
