import { Button, Tabs } from '@mantine/core'
import type { ComponentType } from 'react'
import { useEffect, useRef } from 'react'
import { useDesk, useDeskState } from '../components/use-desk.ts'
import { useReadSoon } from '../components/use-list.ts'
import type { Tab } from '../state/manage-state.ts'
import { Apps } from './apps.tsx'
import { TOOLS } from './lists.ts'
import { MANAGE_ID } from './manage-id.ts'
import styles from './manage-page.module.css'
import { NewPlugin } from './new-plugin.tsx'
import { OwnPlugin } from './own-plugin.tsx'
import pageStyles from './page.module.css'
import { PluginLists } from './plugin-lists.tsx'
import { Runners } from './runners.tsx'

/** The tabs of Manage, in their order. */
const tabs: readonly { readonly id: Tab; readonly label: string; readonly Body: ComponentType }[] = [
  { id: 'plugins', label: 'Plugins', Body: Plugins },
  { id: 'runners', label: 'Runners', Body: Runners },
  { id: 'apps', label: 'Apps', Body: Apps },
]

/** Where plugins, runners and apps are managed, while it is open. */
export function OpenManagePage() {
  const desk = useDesk()
  const tab = useDeskState(({ manage }) => manage.tab)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element>(null)
  const readSoon = useReadSoon(TOOLS)
  useEffect(() => desk.bridge.on('tools.changed', readSoon), [desk, readSoon])
  useEffect(() => {
    opener.current ??= document.activeElement
    heading.current?.focus()
    return () => {
      if (document.activeElement === document.body && opener.current instanceof HTMLElement)
        opener.current.focus()
    }
  }, [])
  return (
    <main aria-label="Manage" className={pageStyles.page} id={MANAGE_ID}>
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 className={styles.title} ref={heading} tabIndex={-1}>
            Manage
          </h2>
          <Button onClick={() => desk.change(() => ({ isOpen: false }))}>Back to the desktop</Button>
        </div>
        <Tabs
          keepMounted={false}
          onChange={(id) => {
            const chosen = tabs.find((one) => one.id === id)
            if (chosen) desk.change(() => ({ tab: chosen.id }))
          }}
          value={tab}
        >
          <Tabs.List aria-label="What to manage">
            {tabs.map(({ id, label }) => (
              <Tabs.Tab key={id} value={id}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ id, Body }) => (
            <Tabs.Panel className={styles.panel} key={id} tabIndex={-1} value={id}>
              <Body />
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </main>
  )
}

/** The tab of plugins: the lists, a new one, or one of the user's own. */
function Plugins() {
  const place = useDeskState(({ manage }) => manage.place)
  if (place.at === 'new') return <NewPlugin />
  if (place.at === 'own') return <OwnPlugin key={place.toolId} toolId={place.toolId} />
  return <PluginLists />
}
