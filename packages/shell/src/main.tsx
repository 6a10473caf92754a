import '@mantine/core/styles.css'
import './styles/page.css'
import { createBridge } from '@svc/bridge'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createDesk } from './desk/desk.ts'
import { appKeys } from './keys/shortcuts.ts'
import { createExchange } from './state/exchange.ts'
import { localeOf } from './state/locale.ts'
import { openMemory } from './state/memory.ts'
import { openTabs } from './state/tabs.ts'

const root = document.querySelector('#root')
if (!root) throw new Error('the page has no element #root')

/** What the host's paths begin with: the page is at its root. */
const { pathname } = new URL('.', document.baseURI)
const baseUrl = pathname.slice(0, -1)

const desk = createDesk({
  bridge: createBridge({ baseUrl, jobs: true, keys: appKeys }),
  exchange: createExchange((path, init) => fetch(baseUrl + path, init)),
  memory: openMemory(localStorage),
  tabs: openTabs(document),
  now: Date.now,
  later: (work, ms) => void setTimeout(work, ms),
  locale: localeOf(navigator.languages),
})
void desk.begin()

createRoot(root).render(
  <StrictMode>
    <App desk={desk} />
  </StrictMode>,
)
