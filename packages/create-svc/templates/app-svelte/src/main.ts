import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { mount } from 'svelte'
import App from './app.svelte'

const target = document.getElementById('app')
if (!target) throw new Error('index.html has no element with the id app')

followTheme(svc)
mount(App, { target })
await svc.window.ready()
