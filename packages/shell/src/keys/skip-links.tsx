import { focusGrip } from '../components/grip.ts'
import { useDeskState } from '../components/use-desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import { focusArea } from './areas.ts'
import styles from './keys.module.css'

/**
 * The first stops of the keyboard: past the bar, to the window in front or to the apps. They are seen while they have
 * it.
 */
export function SkipLinks() {
  const front = useDeskState(({ windows }) => frontOf(windows))
  const small = useDeskState((state) => state.small)
  return (
    <>
      {front && (
        // biome-ignore lint/a11y/useValidAnchor: a link to a part of the page, which no address keeps
        <a
          className={styles.skip}
          href="#desktop"
          onClick={(event) => {
            event.preventDefault()
            focusGrip(front.key)
          }}
        >
          Skip to {front.title}
        </a>
      )}
      <a
        className={styles.skip}
        href={small ? '#tasks' : '#apps'}
        onClick={(event) => {
          event.preventDefault()
          focusArea('apps', 'tasks')
        }}
      >
        Skip to the apps
      </a>
    </>
  )
}
