import { TextInput } from '@mantine/core'
import { CANCEL_REASON_MAX_CHARS } from '@svc/contract/browser'
import { type ReactNode, useState } from 'react'
import { AskFirst } from '../components/ask-first.tsx'
import { useAct } from '../components/use-act.ts'
import { useDesk } from '../components/use-desk.ts'
import { type Job, jobStates } from '../state/job.ts'
import { newsOf } from '../state/tell.ts'
import { JOBS } from './use-jobs.ts'

/** The foot of a job that can be cancelled: its button asks for a reason, which may be left out. */
export function CancelJob({
  job,
  name,
  source,
  stale,
  children,
}: {
  job: Job
  name: string
  /** Where a refusal comes from, in its notice. */
  source: string
  stale: boolean
  children: ReactNode
}) {
  const { ask } = useDesk()
  const [reason, setReason] = useState('')
  const cancel = useAct(`cancel ${job.jobId}`, async () => {
    try {
      const given = reason.trim()
      const { state, cancelled } = await ask('POST /api/v1/svc-apps/jobs/{job_id}/cancel', {
        params: { job_id: job.jobId },
        body: given === '' ? {} : { reason: given },
      })
      const said = `${name} could not be cancelled: it ${jobStates[state].said}`
      return { reads: JOBS, ...(!cancelled && { said }) }
    } catch (error) {
      return { reads: JOBS, news: newsOf(error, source) }
    }
  })
  return (
    <AskFirst
      act={cancel}
      beside={children}
      does="Cancel the job"
      keep="Let it run"
      name={`Cancel ${name}`}
      stale={stale}
      word="Cancel"
    >
      <TextInput
        label="Reason (optional)"
        maxLength={CANCEL_REASON_MAX_CHARS}
        onChange={(event) => setReason(event.currentTarget.value)}
        size="xs"
        value={reason}
      />
    </AskFirst>
  )
}
