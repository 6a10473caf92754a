import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../components/use-copy.ts'
import { shownText } from '../state/job-outcome.ts'
import panelStyles from './panels.module.css'

/** A text that is shown at once when it is short, and on demand when it is long; it is drawn only while it is seen. */
export function Folded({ label, text }: { label: string; text: string }) {
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
          <Button color="gray" mt={6} onClick={() => void copy(whole)} size="compact-xs" variant="default">
            Copy
          </Button>
        </>
      )}
    </details>
  )
}
