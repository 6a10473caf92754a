import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import styles from '../components/cards.module.css'
import { HostList } from '../components/host-list.tsx'
import panelStyles from './panels.module.css'

/** The list of a panel: what is active, then what has ended. */
export function PanelList<Item>({
  things,
  query,
  list,
  isActive,
  isCut,
  card,
  icon,
  emptyTitle,
  children,
}: {
  things: string
  query: UseQueryResult
  /** The active ones first. */
  list: readonly Item[]
  isActive: (item: Item) => boolean
  /** There are more, which are older. */
  isCut: boolean
  card: (item: Item) => ReactNode
  icon: ReactNode
  emptyTitle: string
  /** What helps who has none. */
  children: ReactNode
}) {
  const groups = {
    Active: list.filter(isActive),
    Ended: list.filter((item) => !isActive(item)),
  }
  return (
    <HostList
      classNames={{ empty: panelStyles.empty }}
      count={list.length}
      empty={
        <>
          <span className={styles.emptyIcon}>{icon}</span>
          <p className={styles.emptyTitle}>{emptyTitle}</p>
          <p className={styles.emptyText}>{children}</p>
        </>
      }
      query={query}
      things={things}
    >
      {Object.entries(groups).map(
        ([title, items]) =>
          items.length > 0 && (
            <section aria-label={`${title} ${things}`} className={styles.group} key={title}>
              <h3 className={styles.groupTitle}>
                {title} <span className={styles.groupCount}>{items.length}</span>
              </h3>
              <ol className={panelStyles.list}>{items.map(card)}</ol>
            </section>
          ),
      )}
      {isCut && <p className={panelStyles.hint}>Older {things} are not shown.</p>}
    </HostList>
  )
}
