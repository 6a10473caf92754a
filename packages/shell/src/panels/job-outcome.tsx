import { Button } from '@mantine/core'
import { memo, useState } from 'react'
import { useCopy } from '../components/use-copy.ts'
import type { Job } from '../state/job.ts'
import { failureOf, resultText, shownText } from '../state/job-outcome.ts'
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

/** A text that is shown at once when it is short, and on demand when it is long; it is drawn only while it is seen. */
function Folded({ label, text }: { label: string; text: string }) {
  const { whole, shown, folded } = shownText(text)
  const copy = useCopy()
  const [open, setOpen] = useState(false)
  if (!folded) return <pre className={panelStyles.pre}>{whole}</pre>
  return (
    <details className={panelStyles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard */}
          <pre className={panelStyles.pre} tabIndex={0}>
            {shown}
          </pre>
          <Button color="gray" mt={6} onClick={() => void copy(whole)} size="compact-xs">
            Copy
          </Button>
        </>
      )}
    </details>
  )
}
