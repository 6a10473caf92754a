import { timeText } from '../components/time-text.ts'
import { useDeskState } from '../components/use-desk.ts'
import styles from './panels.module.css'

/** The cards that bundles put into the chat: text, never markup. */
export function Chat() {
  const cards = useDeskState((state) => state.cards)
  if (cards.length === 0)
    return (
      <p className={styles.empty}>Cards that apps add to the chat appear here until you reload the page.</p>
    )
  return (
    <ol className={styles.list}>
      {cards.map(({ id, at, source, kind, summary, data }) => (
        <li className={styles.card} key={id}>
          <div className={styles.meta}>
            <span className={styles.source}>{source}</span>
            <span>{kind}</span>
            <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
          </div>
          {summary !== '' && <p className={styles.sentence}>{summary}</p>}
          {data !== '' && <pre className={styles.pre}>{data}</pre>}
        </li>
      ))}
    </ol>
  )
}
