import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'

/** How long a question takes no click, in ms: one that was meant for what was there before answers nothing. */
const UNANSWERED_MS = 500

/** Whether a question has just come up, so that its buttons take no click yet. */
export function useIsNew(): boolean {
  const [isNew, setIsNew] = useState(true)
  useTimeout(() => setIsNew(false), UNANSWERED_MS, { autoInvoke: true })
  return isNew
}
