import '@mantine/core/styles.css'
import './styles/page.css'
import { createBridge } from '@svc/bridge'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './desk/api.ts'
import { createDesk } from './desk/desk.ts'
import { openMemory } from './desk/memory.ts'
import { App } from './ui/app.tsx'

const root = document.querySelector('#root')
if (!root) throw new Error('the page has no element #root')

const desk = createDesk({
  bridge: createBridge({ jobs: true }),
  api: createApi(fetch.bind(globalThis)),
  memory: openMemory(localStorage),
  now: Date.now,
  later: (work, ms) => void setTimeout(work, ms),
  locale: navigator.language,
})
void desk.begin()

createRoot(root).render(
  <StrictMode>
    <App desk={desk} />
  </StrictMode>,
)
