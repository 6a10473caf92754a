import { capabilitiesOf, kindTitles } from '../manage/capabilities.ts'
import styles from './manage-page.module.css'

/** What a plugin can do and what it asks for, in words, as its manifest says. */
export function CapabilityList({ manifest }: { manifest: string }) {
  const groups = capabilitiesOf(manifest)
  if (groups.length === 0) return null
  return (
    <section aria-label="Capabilities" className={styles.section}>
      <h4 className={styles.sectionTitle}>What it can do, and what it asks for</h4>
      {groups.map(({ kind, lines }) => (
        <div key={kind}>
          <h5 className={styles.groupTitle}>{kindTitles[kind]}</h5>
          <ul className={styles.words}>
            {lines.map(({ name, sentence }) => (
              <li key={name}>
                <code>{name}</code> <span>{sentence}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
