import { TextInput } from '@mantine/core'
import { CANCEL_REASON_MAX_CHARS } from '@svc/contract/browser'
import { type ReactNode, useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useDesk } from '../components/use-desk.ts'
import type { Job } from '../state/job.ts'

/** The foot of a job that can be cancelled: its button asks for a reason, which may be left out. */
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
  const [reason, setReason] = useState('')
  return (
    <AskFirst
      asked={{ name: `Cancel ${name}`, word: 'Cancel', act: 'Cancel the job', keep: 'Let it run' }}
      busy={cancelling}
      onAct={() => void desk.cancelJob(job.jobId, reason)}
      question={
        <TextInput
          autoComplete="off"
          label="Reason (optional)"
          maxLength={CANCEL_REASON_MAX_CHARS}
          onChange={(event) => setReason(event.currentTarget.value)}
          size="xs"
          value={reason}
        />
      }
      stale={stale}
    >
      {children}
    </AskFirst>
  )
}
