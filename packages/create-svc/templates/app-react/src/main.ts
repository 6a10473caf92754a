import { svc } from '@svc/sdk'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { followTheme } from './follow-theme.ts'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no element with the id app')

followTheme()
createRoot(place).render(createElement(App))
await svc.window.ready()
