import { useEffect, useRef, useState } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import type { SearchedTab } from '../state/manage-state.ts'

/** The host is asked when nothing was typed for this long, in ms. */
export const SEARCH_WAIT_MS = 300

/** What the lists of a tab are searched for: what was typed last, once that has settled; an empty field at once. */
export function useSearch(tab: SearchedTab): string {
  const { later } = useDesk()
  const typed = useDeskState(({ manage }) => manage.searches[tab]).trim()
  const [settled, setSettled] = useState(typed)
  const last = useRef(typed)
  useEffect(() => {
    last.current = typed
    if (typed === '') setSettled(typed)
    else
      later(() => {
        if (last.current === typed) setSettled(typed)
      }, SEARCH_WAIT_MS)
  }, [typed, later])
  return typed === '' ? typed : settled
}

/** Tells a screen reader how much a search found, when it has found it. */
export function useFoundNews(
  search: string,
  isRead: boolean,
  count: number,
  { one, many }: { readonly one: string; readonly many: string },
): void {
  const { say } = useDesk()
  const told = useRef(search)
  useEffect(() => {
    if (!isRead || told.current === search) return
    told.current = search
    if (search !== '') say(`${count === 0 ? 'No' : count} ${count === 1 ? one : many} found`)
  }, [search, isRead, count, one, many, say])
}
