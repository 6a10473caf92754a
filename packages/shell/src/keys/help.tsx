import { Button } from '@mantine/core'
import { useDesk } from '../components/use-desk.ts'
import { KeysDialog } from './dialog.tsx'
import styles from './keys.module.css'
import { type Shortcut, shortcuts, titleKeys } from './shortcuts.ts'

/** The list of shortcuts. */
export function KeyHelp() {
  const desk = useDesk()
  return (
    <KeysDialog label="Keyboard shortcuts">
      <div className={styles.help}>
        <div className={styles.head}>
          <h2 className={styles.title}>Keyboard shortcuts</h2>
          <Button onClick={() => desk.showDialog(null)}>Close</Button>
        </div>
        <Keys label="On the page" rows={shortcuts} />
        <Keys label="On the title of a window" rows={titleKeys} />
        <p className={styles.note}>
          In an app they work too, but for the question mark: a key that the app uses itself is the app's. F6
          leads out of it.
        </p>
      </div>
    </KeysDialog>
  )
}

function Keys({ label, rows }: { label: string; rows: readonly Pick<Shortcut, 'keys' | 'does'>[] }) {
  return (
    <section aria-label={label}>
      <h3 className={styles.group}>{label}</h3>
      <dl className={styles.keys}>
        {rows.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd className={styles.key}>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
