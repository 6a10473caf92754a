import { ActionIcon } from '@mantine/core'
import { useRef } from 'react'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { panels } from '../panels/panels.tsx'
import styles from './side.module.css'
import { PANEL_ID, usePanelFocus } from './use-panel-focus.ts'

/** The place beside the desktop for one panel at a time. */
export function Side() {
  const desk = useDesk()
  const open = useDeskState(({ panel }) => panel)
  const list = useRef<HTMLElement>(null)
  usePanelFocus(list, open)
  const panel = panels.find(({ id }) => id === open)
  if (!panel) return null
  return (
    <aside aria-label={panel.label} className={styles.side} id={PANEL_ID}>
      <div className={styles.head}>
        <h2 className={styles.title}>{panel.label}</h2>
        <ActionIcon
          aria-label={`Close ${panel.label}`}
          color="gray"
          onClick={() => desk.setPanel(null)}
          variant="subtle"
        >
          {icons.close}
        </ActionIcon>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard */}
      <section aria-label={`${panel.label} list`} className={styles.list} ref={list} tabIndex={0}>
        <panel.Body />
      </section>
    </aside>
  )
}
