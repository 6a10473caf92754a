import { Button } from '@mantine/core'
import styles from './cards.module.css'
import { icons } from './icons.tsx'
import { timeText } from './time-text.ts'

/** Why a list is not as it is now, and since when: the host does not tell. `readAt`: when it was read, where it was. */
export function Problem({
  things,
  problem,
  readAt,
  onRetry,
}: {
  things: string
  problem: string | null
  readAt: number | null
  onRetry: () => void
}) {
  if (problem === null) return null
  return (
    <div className={styles.problem}>
      {icons.alert}
      <p className={styles.problemText}>
        {readAt === null
          ? `The ${things} could not be loaded: ${problem}.`
          : `Last update at ${timeText(readAt)}: ${problem}.`}
      </p>
      <Button onClick={onRetry} size="compact-xs" variant="default">
        Try again
      </Button>
    </div>
  )
}
