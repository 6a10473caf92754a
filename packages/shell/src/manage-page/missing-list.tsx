import { focusField } from '../components/use-act.ts'
import type { Missing } from '../state/field.ts'
import styles from './manage-page.module.css'

/** What is missing yet; each line leads to its field. */
export function MissingList({ missing }: { missing: readonly Missing[] }) {
  return (
    <section aria-label="Still missing" className={styles.missing}>
      <h4 className={styles.sectionTitle}>Still missing</h4>
      <ul>
        {missing.map(({ field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            <button className={styles.link} onClick={() => focusField(field)} type="button">
              {sentence}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
