import { visibleLine } from '@svc/contract/visible-text'
import type { ReactNode } from 'react'
import { AppMark } from '../components/app-mark.tsx'
import styles from '../components/cards.module.css'
import type { StateRow } from '../state/job.ts'
import type { App } from '../state/state.ts'
import panelStyles from './panels.module.css'

/** A card of a panel: whose it is, what it is called, and its status. */
export function PanelCard({
  id,
  app,
  title: given,
  owner,
  row: { word, tone },
  children,
}: {
  id: string
  app: Pick<App, 'slug' | 'name'>
  title: string
  /** Who does it, behind the name of the app. */
  owner: string
  row: StateRow
  children: ReactNode
}) {
  const title = visibleLine(given)
  const by = visibleLine(`${app.name} · ${owner}`)
  return (
    <li className={`${panelStyles.card} ${styles.toned}`} data-heading={id} data-tone={tone}>
      <article aria-labelledby={id}>
        <div className={styles.head}>
          <AppMark name={app.name} slug={app.slug} />
          <div className={styles.names}>
            <h4 className={styles.name} id={id} tabIndex={-1} title={title}>
              <bdi>{title}</bdi>
            </h4>
            <p className={styles.owner} title={by}>
              <bdi>{by}</bdi>
            </p>
          </div>
          <span className={styles.state}>{word}</span>
        </div>
        {children}
      </article>
    </li>
  )
}
