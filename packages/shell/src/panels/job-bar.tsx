import styles from '../components/cards.module.css'
import type { Job } from '../state/job.ts'
import { barOf } from '../state/job-progress.ts'

const PERCENT = 100

/** How far a job has come: a bar where its plugin tells a part, else only that it goes on, and what it said last. */
export function JobBar({ job, name, stale }: { job: Job; name: string; stale: boolean }) {
  const { part, label, text } = barOf(job.progress)
  if (job.state === 'queued') return <p className={styles.said}>Waiting for a free slot.</p>
  if (stale) return <p className={styles.said}>Its progress is not known at the moment.</p>
  const value = part === null ? undefined : Math.round(part * PERCENT)
  return (
    <>
      <div className={styles.barLine}>
        <div
          aria-label={`Progress of ${name}`}
          aria-valuemax={PERCENT}
          aria-valuemin={0}
          aria-valuenow={value}
          aria-valuetext={label || text || 'going on'}
          className={styles.bar}
          role="progressbar"
        >
          <span
            className={styles.fill}
            data-endless={part === null || undefined}
            style={{ '--part': part ?? 0 } as React.CSSProperties}
          />
        </div>
        {label !== '' && (
          <span aria-hidden="true" className={styles.part}>
            {label}
          </span>
        )}
      </div>
      {text !== '' && <p className={styles.said}>{text}</p>}
    </>
  )
}
