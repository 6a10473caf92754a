import { svc } from '@svc/sdk'
import { mount } from 'svelte'
import App from './app.svelte'
import { followTheme } from './follow-theme.ts'

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no element with the id app')

followTheme()
mount(App, { target })
await svc.window.ready()
