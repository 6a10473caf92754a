import { memo } from 'react'
import type { Job } from '../state/job.ts'
import { failureOf, resultText } from '../state/job-outcome.ts'
import { Folded } from './folded.tsx'
import panelStyles from './panels.module.css'

/** How a job ended: its result, or the code, the sentence, the hint and the details of its error. */
export const JobOutcome = memo(function JobOutcome({ job }: { job: Job }) {
  const failure = failureOf(job)
  if (job.state === 'succeeded') {
    const text = resultText(job)
    return text === '' ? null : <Folded label="Result" text={text} />
  }
  if (!failure) return null
  const { code, sentence, hint, details } = failure
  return (
    <>
      <p className={panelStyles.sentence}>
        <code className={panelStyles.code}>{code}</code> {sentence !== code && sentence}
      </p>
      {hint !== null && <p className={panelStyles.hint}>{hint}</p>}
      {details !== '' && <Folded label="Details" text={details} />}
    </>
  )
})
