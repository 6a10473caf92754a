import { type ComponentProps, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useDeskState } from '../components/use-desk.ts'
import styles from './question.module.css'

/** The room around a question, in CSS pixels, and that of the button by which a window is closed. */
const GAP = 12
const CLOSE = 44

/** Where a question is as near to the middle as it can be beside the button that closes the window that asks. */
export function leftOf(width: number, page: number, closeAt: number | null): number {
  const middle = (page - width) / 2
  if (closeAt === null || closeAt < middle || closeAt - CLOSE > middle + width) return middle
  const before = closeAt - CLOSE - width
  return before >= GAP ? before : Math.min(closeAt + GAP, page - width - GAP)
}

/**
 * A question to the user about an app. It lies over the desktop and leaves the rest of the page as it is: the window that
 * asks can be closed. The keyboard comes to `start`, or to the question and none of its buttons, and goes back with
 * Escape and at the end.
 */
export function Question({
  windowKey,
  start,
  onEscape,
  ...props
}: {
  /** The window that asks. */
  windowKey: string | undefined
  start?: RefObject<HTMLElement | null>
  /** What Escape answers; left out: the question stays. */
  onEscape?: () => void
} & ComponentProps<'section'>) {
  const section = useRef<HTMLElement>(null)
  const before = useRef<Element>(null)
  const [left, setLeft] = useState<number>()
  const windows = useDeskState((state) => state.windows)
  const area = useDeskState((state) => state.area)

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a window was moved
  useLayoutEffect(() => {
    const close = document.querySelector(`[data-window="${windowKey}"]`)?.getBoundingClientRect().right
    const width = section.current?.offsetWidth ?? 0
    setLeft(leftOf(width, document.documentElement.clientWidth, close ?? null))
  }, [windowKey, windows, area])
  const giveBack = () => before.current instanceof HTMLElement && before.current.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the question comes and when it goes
  useLayoutEffect(() => {
    const element = section.current
    before.current = document.activeElement
    ;(start?.current ?? element)?.focus()
    return () => {
      if (element?.contains(document.activeElement)) giveBack()
    }
  }, [])
  return (
    <section
      {...props}
      className={styles.question}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (onEscape) onEscape()
        else giveBack()
      }}
      ref={section}
      role="alertdialog"
      style={{ left }}
      tabIndex={-1}
    />
  )
}
