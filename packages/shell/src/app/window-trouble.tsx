import { Button } from '@mantine/core'
import { useDesk } from '../components/use-desk.ts'
import type { DeskWindow } from '../state/state.ts'
import styles from './window-trouble.module.css'

/** What keeps a window from being used, and whether it lies over all of it: there is nothing to use beneath. */
interface Trouble {
  readonly says: string
  readonly whole?: boolean
  /** It is shown once the app has taken long. */
  readonly late?: boolean
}

function troubleOf({ phase, ended, responds }: DeskWindow): Trouble | null {
  if (phase === 'opening') return { says: 'takes long to load.', late: true }
  if (phase === 'failed') return { says: 'could not be loaded.', whole: true }
  if (phase !== 'open') return null
  if (ended) return { says: 'has stopped. What it had not saved is lost.', whole: true }
  return responds ? null : { says: 'does not respond.' }
}

/** Says in the window of an app that died, hangs or does not load what is wrong with it, and offers a way on. */
export function WindowTrouble({ window }: { window: DeskWindow }) {
  const desk = useDesk()
  const trouble = troubleOf(window)
  if (!trouble) return null
  const { key, app, phase, responds } = window
  const hangs = phase === 'open' && !responds
  return (
    <div
      className={styles.trouble}
      data-late={trouble.late || undefined}
      data-whole={trouble.whole || undefined}
      role={trouble.late ? undefined : 'alert'}
    >
      <p className={styles.text}>
        <bdi>{app.name}</bdi> {trouble.says}
      </p>
      <div className={styles.buttons}>
        <Button onClick={() => desk.reload(key)} size="compact-md" variant="default">
          Reload
        </Button>
        {hangs ? (
          <Button color="red" onClick={() => desk.end(key)} size="compact-md" variant="filled">
            End {app.name}
          </Button>
        ) : (
          <Button onClick={() => desk.close(key)} size="compact-md" variant="default">
            Close
          </Button>
        )}
      </div>
    </div>
  )
}
