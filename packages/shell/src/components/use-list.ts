import type { QueryKey } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { gatherNews } from '../state/gather-news.ts'
import { READ_GAP_MS, readAgain } from '../state/queries.ts'
import { useDesk } from './use-desk.ts'

const SECOND_MS = 1_000

/** Has a list read again for events, which may come in swarms. */
export function useReadSoon(queryKey: QueryKey): () => void {
  const { queries, later, now } = useDesk()
  const isWaiting = useRef(false)
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  return useCallback(() => {
    if (isWaiting.current) return
    isWaiting.current = true
    later(
      () => {
        isWaiting.current = false
        readAt.current = now()
        void readAgain(queries, queryKey)
      },
      Math.max(0, readAt.current + READ_GAP_MS - now()),
    )
  }, [queries, later, now, queryKey])
}

/** Tells a screen reader what a list says that it did not say before. The first list of all is no news. */
export function useNews<Data>(
  data: Data | undefined,
  newsOf: (before: Data, after: Data) => ReadonlyMap<string, string>,
  things: string,
): void {
  const { later, say } = useDesk()
  const [news] = useState(() => gatherNews(later, say, things))
  const before = useRef<Data>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the list was read, and only then
  useEffect(() => {
    if (data === undefined) news.forget()
    else if (before.current !== undefined) news.add(newsOf(before.current, data))
    before.current = data
  }, [data])
  useEffect(() => news.forget, [news])
}

/** The time, in Unix ms: it is updated each second while it is wanted. */
export function useNow(isWanted: boolean): number {
  const { now } = useDesk()
  const [at, setAt] = useState(now)
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(() => setAt(now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isWanted, now])
  return at
}
