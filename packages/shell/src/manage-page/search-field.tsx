import { TextInput } from '@mantine/core'
import { SEARCH_MAX_CHARS } from '@svc/contract/browser'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import type { SearchedTab } from '../state/manage-state.ts'
import styles from './manage-page.module.css'

/** Searches the lists of a tab. Escape empties it, and where it is empty does what it does elsewhere. */
export function SearchField({ tab, label }: { tab: SearchedTab; label: string }) {
  const { change } = useDesk()
  const typed = useDeskState(({ manage }) => manage.searches[tab])
  const type = (text: string) => change(({ searches }) => ({ searches: { ...searches, [tab]: text } }))
  return (
    <TextInput
      autoComplete="off"
      className={styles.search ?? ''}
      label={label}
      maxLength={SEARCH_MAX_CHARS}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || typed === '') return
        event.preventDefault()
        event.stopPropagation()
        type('')
      }}
      spellCheck={false}
      type="search"
      value={typed}
    />
  )
}
