import { Button, TextInput } from '@mantine/core'
import { CANCEL_REASON_MAX_CHARS } from '@svc/contract/browser'
import { type ReactNode, useRef, useState } from 'react'
import type { Job } from '../desk/job.ts'
import { useDesk } from '../ui/use-desk.ts'
import styles from './jobs.module.css'

/** The foot of a job that can be cancelled: its button asks for a reason, which may be left out. Escape lets it run. */
export function CancelJob({
  job,
  name,
  cancelling,
  stale,
  children,
}: {
  job: Job
  name: string
  cancelling: boolean
  stale: boolean
  children: ReactNode
}) {
  const desk = useDesk()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const letRun = () => {
    setAsking(false)
    button.current?.focus()
  }
  return (
    <>
      <div className={styles.foot}>
        {children}
        <Button
          aria-expanded={asking}
          aria-label={`Cancel ${name}`}
          disabled={stale}
          onClick={() => setAsking(!asking)}
          ref={button}
          size="compact-sm"
          variant="default"
        >
          Cancel
        </Button>
      </div>
      {asking && !stale && (
        <form
          aria-label={`Cancel ${name}`}
          className={styles.cancel}
          onKeyDown={({ key }) => {
            if (key === 'Escape') letRun()
          }}
          onSubmit={(event) => {
            event.preventDefault()
            void desk.cancelJob(job.jobId, reason)
          }}
        >
          <TextInput
            autoComplete="off"
            label="Reason, if you like"
            maxLength={CANCEL_REASON_MAX_CHARS}
            onChange={(event) => setReason(event.currentTarget.value)}
            ref={takeKeyboard}
            size="xs"
            value={reason}
          />
          <div className={styles.actions}>
            <Button onClick={letRun} size="compact-sm" variant="default">
              Let it run
            </Button>
            <Button color="red" loading={cancelling} size="compact-sm" type="submit">
              Cancel the job
            </Button>
          </div>
        </form>
      )}
    </>
  )
}

/** Who pressed Cancel writes on in the field that it opens. */
const takeKeyboard = (field: HTMLInputElement | null): void => field?.focus()
