import styles from '../components/cards.module.css'
import { timeText } from '../components/time-text.ts'
import type { Job } from '../state/job.ts'
import { timesOf } from '../state/job-times.ts'

/** The times of a job. Those that go on are not shown of one that may have ended meanwhile. */
export function JobTimes({ job, now, stale }: { job: Job; now: number; stale: boolean }) {
  const { spent, left, life } = timesOf(job, now)
  const at = Date.parse(job.endedAt ?? job.createdAt)
  const time = <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
  if (left === null)
    return (
      <p className={styles.times}>
        {spent} · {time}
      </p>
    )
  if (stale) return <p className={styles.times}>since {time}</p>
  return (
    <p className={styles.times}>
      {spent} · {left}
      {life !== null && (
        <span className={styles.life} data-late={life.late || undefined}>
          {life.text}
        </span>
      )}
    </p>
  )
}
