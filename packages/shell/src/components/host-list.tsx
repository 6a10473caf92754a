import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import styles from './cards.module.css'
import { icons } from './icons.tsx'
import { timeText } from './time-text.ts'
import { useDesk } from './use-desk.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** A list as the host told it, and why it is not told now. The keyboard stays with what changes in it. */
export function HostList({
  things,
  query,
  count,
  classNames,
  heading,
  empty,
  children,
}: {
  /** What is in it, such as `jobs`. */
  things: string
  query: Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt'>
  /** How much of it is shown. */
  count: number
  classNames: { readonly root?: string | undefined; readonly empty: string | undefined }
  /** Over the list. */
  heading?: ReactNode
  /** What is said where there is nothing. */
  empty: ReactNode
  children: ReactNode
}) {
  const room = useRef<HTMLDivElement>(null)
  useKeptFocus(room, query.error ?? query.data)
  return (
    <div className={classNames.root} ref={room}>
      {heading}
      <Problem query={query} since={count > 0} things={things} />
      {count === 0 && !query.error && (
        <div className={classNames.empty}>{query.data === undefined ? 'Loading…' : empty}</div>
      )}
      {children}
    </div>
  )
}

/** Why something is not as it is now; with `since` also since when. */
export function Problem({
  things,
  query: { error, dataUpdatedAt },
  since = false,
}: {
  things: string
  query: Pick<UseQueryResult, 'error' | 'dataUpdatedAt'>
  since?: boolean
}) {
  const { queries } = useDesk()
  if (!error) return null
  return (
    <div className={styles.problem}>
      {icons.alert}
      <p className={styles.problemText}>
        {since && dataUpdatedAt > 0
          ? `Last update at ${timeText(dataUpdatedAt)}: ${error.message}.`
          : `The ${things} could not be loaded: ${error.message}.`}
      </p>
      <Button onClick={() => void queries.invalidateQueries()} size="compact-xs">
        Try again
      </Button>
    </div>
  )
}
