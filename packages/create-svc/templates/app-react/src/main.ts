import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no element with the id app')

followTheme(svc)
createRoot(place).render(createElement(App))
await svc.window.ready()
