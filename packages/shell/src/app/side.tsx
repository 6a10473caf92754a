import { ActionIcon } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { icons } from '../components/icons.tsx'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { panels } from '../panels/panels.tsx'
import styles from './side.module.css'

/** Names the place of the panels, which their buttons control. */
export const PANEL_ID = 'panel'

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
        <ActionIcon aria-label={`Close ${panel.label}`} onClick={() => desk.setPanel(null)}>
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

/**
 * Takes the keyboard of who opened a panel by its button into its list, past all that is in the windows between, and
 * back to the button when the panel is shut from inside.
 */
function usePanelFocus(list: RefObject<HTMLElement | null>, open: string | null): void {
  const opener = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a panel was opened or shut
  useEffect(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.getAttribute('aria-controls') === PANEL_ID) {
      opener.current = activeElement
      list.current?.focus()
    }
    return () => {
      if (document.activeElement === document.body) opener.current?.focus()
    }
  }, [list, open])
}
